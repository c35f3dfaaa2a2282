import { riskyOperands } from './judge.ts';
import { named, type Program } from './program.ts';

const MANY: Program = { others: 'plain' };

const APT: Program = {
  plain:
    '-yqdsufmVt: -a: --yes --assume-yes --assume-no --quiet --download-only --simulate --dry-run --fix-broken --fix-missing --no-install-recommends --install-recommends --install-suggests --no-install-suggests ' +
    '--reinstall --only-upgrade --no-upgrade --purge --auto-remove --autoremove --show-upgraded --verbose-versions --installed --upgradable --upgradeable --all-versions --target-release= --default-release= --names-only --full --no-show-upgraded -A -n -i',
  runs: '-o: -c: --option= --config-file= --allow-unauthenticated --allow-downgrades --allow-remove-essential --force-yes',
  shared: true,
  otherwise: {},
};

/** Packages, services and the network. */
/** For MySQL's client: no command of its own, which runs or writes something. */
const PLAIN_SQL =
  /^(?![\s\S]*(\\|outfile|dumpfile|load_file|system|source|delimiter|(^|[\n;])\s*(tee|pager|edit|connect)\b))/i;

export const SYSTEM: Record<string, Program> = {
  ...named('apt apt-get', APT),
  'apt-cache': {
    plain: '-qfganin --installed --names-only --recurse --important',
    runs: '-o: -c:',
    shared: true,
    otherwise: {},
  },
  dpkg: {
    plain: '-lLsSpW --list --listfiles --status --search --print-avail --get-selections --print-architecture',
    runs: '--pre-invoke= --post-invoke= --admindir= --root= --instdir=',
  },
  brew: {
    plain: '-vqdh --verbose --quiet --debug --force --dry-run',
    shared: true,
    subcommands: {
      ...named('ruby sh irb edit create bump developer test-bot', { spelled: true, others: 'plain' }),
      remove: 'uninstall',
      rm: 'uninstall',
      uninstall: MANY,
      ls: 'list',
      list: MANY,
    },
    otherwise: MANY,
  },
  systemctl: {
    plain:
      '-alqfn: -o: -p: -t: --all --user --system --full --quiet --no-pager --no-legend --no-block --lines= --output= --property= --type= --state= --plain --failed --now --force --recursive --with-dependencies --show-types --no-ask-password --value --reverse --after --before --wait --job-mode= --kill-whom= --signal= -s:',
    runs: '-H: -M: --host= --machine= --root= --image= --global --runtime --preset-mode= --firmware-setup',
    shared: true,
    subcommands: {
      ...named('edit link enable set-environment import-environment switch-root revert add-wants add-requires', {
        spelled: true,
      }),
    },
    otherwise: {},
  },
  service: { plain: '--status-all' },
  journalctl: {
    plain:
      '-fekmnqrxab? -n? -o: -p: -u: -t: -g: -S: -U: -c: --follow --no-pager --unit= --user-unit= --since= --until= --lines? --output= --priority= --reverse --boot? --grep= --catalog --no-hostname --utc --user --system --identifier= --dmesg --quiet --all --full --no-full --no-tail --output-fields= --disk-usage --list-boots',
    runs: '-M: -D: --root= --directory= --file= --machine= --image=',
    writes:
      '--cursor-file= --setup-keys --update-catalog --flush --rotate --relinquish-var --smart-relinquish-var --sync',
    deletes: '--vacuum-size= --vacuum-time= --vacuum-files=',
  },
  crontab: { plain: '-lu:', writes: '-e', deletes: '-ri', obeysInput: true },
  ...named('at batch', { obeysInput: true, plain: '-mvq: -t: -l', runs: '-f:' }),
  curl: {
    plain:
      '-#sSfLiIvkgNGqaBjnpRZ0123456 -A: -b: -d: -e: -F: -H: -m: -r: -t: -u: -U: -x: -X: -y: -Y: -z: --silent --show-error --fail --fail-with-body --location --include --head --verbose --insecure --globoff ' +
      '--no-buffer --get --request= --header= --data= --data-raw= --data-binary= --data-urlencode= --data-ascii= --json= --form= --form-string= --user= --user-agent= --referer= --cookie= --max-time= ' +
      '--connect-timeout= --retry= --retry-delay= --retry-max-time= --retry-connrefused --retry-all-errors --compressed --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --ipv4 --ipv6 --url= --range= ' +
      '--max-redirs= --proxy= --noproxy= --resolve= --connect-to= --cacert= --cert= --key= --tlsv1.2 --tlsv1.3 --basic --digest --bearer --oauth2-bearer= --aws-sigv4= --limit-rate= --speed-limit= ' +
      '--speed-time= --location-trusted --post301 --post302 --post303 --parallel --no-progress-meter --progress-bar --path-as-is --raw --tcp-nodelay --keepalive-time= --unix-socket= --interface= --max-filesize= --ciphers= --ssl-reqd --netrc --no-keepalive --styled-output --no-styled-output -T: --upload-file=',
    writes:
      '-o: -O -J -c: -D: -w: --output= --remote-name --remote-name-all --remote-header-name --cookie-jar= --dump-header= --trace= --trace-ascii= --stderr= --hsts= --alt-svc= --etag-save= --libcurl= --output-dir= --create-dirs --write-out= --ssl-sessions=',
    runs: '-K: -Q: -E: -P: --config= --engine= --quote= --postquote= --prequote= --netrc-file= --egd-file= --random-file=',
    deletes: '--remove-on-error',
    harmless: {
      '-o': /^-$/,
      '--output': /^-$/,
      '-c': /^-$/,
      '-D': /^-$/,
      '--dump-header': /^-$/,
      '-w': /^(?!@)(?!.*%output\{)/s,
      '--write-out': /^(?!@)(?!.*%output\{)/s,
    },
    endless: true,
  },
  wget: {
    plain:
      '-qvdbcNSFHLkKmnpErTt0 -A: -D: -I: -l: -Q: -R: -t: -T: -U: -w: -X: --quiet --verbose --no-verbose --spider --continue --timeout= --tries= --user-agent= --header= --no-check-certificate --recursive --level= --no-parent --accept= ' +
      '--reject= --wait= --show-progress --method= --body-data= --post-data= --max-redirect= --content-on-error --server-response --timestamping --no-clobber --https-only --compression= --inet4-only --inet6-only -4 -6 --retry-connrefused --waitretry= --user= --password= --ca-certificate=',
    writes:
      '-O: -P: -o: -a: --output-document= --directory-prefix= --output-file= --append-output= --save-cookies= --warc-file= --warc-tempdir= --hsts-file= --rejected-log= --content-disposition --backups? --adjust-extension --convert-links -B: -x --force-directories --protocol-directories',
    runs: '-e: -i: --execute= --config= --use-askpass= --input-file= --post-file= --body-file= --no-config',
    deletes: '--delete-after --unlink',
    harmless: { '-O': /^-$/, '--output-document': /^-$/ },
  },
  ...named('http https xh', {
    others: 'plain',
    writes: '-o: -d --output= --download --session= --session-read-only=',
    runs: '--plugins=',
  }),
  scp: { ordered: true, plain: '-346ABCpqrTvOsc: -i: -J: -l: -P: -R', runs: '-o: -F: -S: -D: -X:' },
  sftp: { obeysInput: true, ordered: true, plain: '-46aACfNpqrv -i: -P: -J: -l:', runs: '-b: -o: -F: -S: -D: -s: -X:' },
  rsync: {
    plain:
      '-avzrlptgoDnhicuqxHASXWPyRd8046 -f: -B: --archive --verbose --compress --recursive --links --perms --times --dry-run --human-readable --itemize-changes --checksum --update --quiet --progress --partial --exclude= --include= --exclude-from= --include-from= --filter= --stats --size-only --bwlimit= --timeout= --port= --no-perms --no-owner --no-group --chmod= --chown= --info= --one-file-system --existing --ignore-existing --relative --whole-file --inplace --append --copy-links --safe-links --max-size= --min-size=',
    runs: '-e: --rsh= --rsync-path= --daemon --config= --password-file= --early-input= --files-from= --from0 -M: --remote-option=',
    writes:
      '-b -T: --backup --backup-dir= --log-file= --temp-dir= --partial-dir= --write-batch= --only-write-batch= --read-batch= --compare-dest= --copy-dest= --link-dest= --suffix=',
    deletes:
      '--delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --remove-source-files --force --del --delete-missing-args',
  },
  tmux: {
    plain: '-2CDluvV -T:',
    runs: '-c: -f: -L: -S:',
    subcommands: {
      ...named(
        'ls list-sessions list-windows list-panes lsp lsw display-message display has-session has show-options showw list-keys lscm info',
        MANY,
      ),
      ...named('capture-pane capturep', { others: 'plain', plain: '-p -t: -S: -E: -b: -e -J -a -q -N -P -C' }),
      ...named('send-keys send', {
        spelled: true,
        others: 'plain',
        plain: '-t: -N: -c: -l -R -M -X -H -F -K',
        launch: { anywhere: true },
      }),
    },
    otherwise: { spelled: true, others: 'plain', launch: { anywhere: true } },
  },
  screen: { spelled: true, launch: { anywhere: true } },
  openssl: {
    style: 'words',
    plain:
      '-in= -noout -text -subject -issuer -dates -fingerprint -sha256 -connect= -servername= -hex -base64 -d -e -showcerts -enddate -startdate -serial -inform= -outform= -pubkey -modulus',
    subcommands: {},
    otherwise: {},
    shared: true,
    writes: '-out= -keyout= -CAserial= -CAcreateserial -writerand=',
    runs: '-engine= -config= -provider= -provider-path= -rand= -passin= -passout=',
  },
  gpg: {
    plain: '-kKa --list-keys --list-secret-keys --verify --fingerprint --armor --list-packets --version',
    obeysInput: true,
  },
  ...named('ifconfig ip ss netstat route arp', {
    judge: riskyOperands(/^(set|add|del|delete|change|replace|flush|exec|up|down|netns)$/, 'runs'),
    others: 'plain',
    runs: '-b: -B: -K --batch= --kill',
  }),
  dig: { plain: '-46 -t: -x: -p: -q: -c: -b: -y:', runs: '-f: -k:' },
  sqlite3: {
    style: 'words',
    obeysInput: /^(?!.*(load_extension|writefile|edit\s*\(|readfile|attach|fts3_tokenizer))(?!\s*\.)(?!.*\n\s*\.)/is,
    plain:
      '-json -csv -header -noheader -column -line -list -markdown -box -table -readonly -separator= -nullvalue= -quote -html -tabs -batch -bail -echo -version -safe',
    language: true,
    runs: '-cmd= -init= -interactive -vfs= -zip -append -A',
    judge: riskyOperands(
      /^\s*\.(?!(?:schema|tables|index(?:es)?|headers?|mode|databases|dbinfo|fullschema|dump|show|version)\b)|\n\s*\.|load_extension|writefile|edit\s*\(|readfile|attach|fts3_tokenizer/i,
      'runs',
    ),
  },
  psql: {
    obeysInput: /^(?![\s\S]*\bprogram\b)(?:(?:[^\\\n]*|\\(?:d\w*|l|conninfo|timing|x|z)\+?(?: [\w.*"]+)?)(?:\n|$))*$/i,
    language: true,
    plain:
      '-#AXHlqtxwWEeabs0z1V -c: -d: -F: -h: -p: -P: -R: -T: -U: --command= --dbname= --host= --port= --username= --no-psqlrc --tuples-only --no-align --expanded --csv --html --list --quiet --no-password --field-separator= --pset= --echo-all',
    runs: '-f: -v: -c: --file= --set= --variable= --command=',
    writes: '-o: -L: --output= --log-file=',
    harmless: {
      '-c': /^(?!.*\bprogram\b)([^\\]*|\\(d\w*|l|conninfo|timing|x|z)\+?( [\w.*"]+)?)$/is,
      '--command': /^(?!.*\bprogram\b)([^\\]*|\\(d\w*|l)\+?( [\w.*"]+)?)$/is,
    },
  },
  ...named('mysql mariadb', {
    obeysInput: PLAIN_SQL,
    language: true,
    plain:
      '-BNtsvEXHGrCu: -h: -P: -D: -p? --batch --table --silent --host= --user= --port= --database= --password? --vertical --skip-column-names',
    runs: '-e: --execute= --init-command= --plugin-dir= --defaults-file= --defaults-extra-file= --pager? --local-infile?',
    writes: '--tee=',
    harmless: {
      '-e': PLAIN_SQL,
      '--execute': PLAIN_SQL,
    },
  }),
  'redis-cli': {
    ordered: true,
    plain: '-h: -p: -n: -a: -u: --raw --no-raw --scan --pattern= --stat --tls',
    runs: '--eval= --pipe',
    judge: riskyOperands(
      /^(config|eval|evalsha|script|module|debug|flushall|flushdb|shutdown|slaveof|replicaof|migrate|acl)$/i,
      'runs',
    ),
  },
  pg_dump: {
    plain: '-hsavxOcC -d: -h: -n: -N: -p: -t: -T: -U: -F: -Z: --schema-only --data-only',
    writes: '-f: --file=',
  },
  pg_isready: { plain: '-qt: -d: -h: -p: -U: --dbname= --host= --port= --timeout= --username= --quiet' },
  mongosh: {
    language: true,
    obeysInput: true,
    plain:
      '-u: -p: --quiet --host= --port= --username= --password= --authenticationDatabase= --json? --norc --eval= --db=',
    runs: '-f: --file= --shell --tlsCertificateKeyFile=',
    harmless: {},
    judge: ({ options }) =>
      options
        .filter(
          ({ name, value = '' }) =>
            name === '--eval' &&
            !/^(?!.*\b(require|process|load|import|eval|Function|fs|cat|exec|spawn|constructor|globalThis|config)\b)[^`\\]*$/s.test(
              value,
            ),
        )
        .map(({ valueAt }) => ({ at: valueAt, effect: 'runs' as const })),
  },
  top: { plain: '-bceEHiOSsnw0123456789 -d: -n: -o: -p: -u: -U: -w: -E: -l: -s:' },
  nginx: { plain: '-tTvVqh', runs: '-c: -g: -e: -p: -s:' },
  ab: {
    plain: '-dhiklqrSvVZ0 -A: -b: -B: -c: -C: -f: -H: -m: -n: -p: -P: -s: -t: -T: -u: -w -x: -X: -y: -z:',
    writes: '-e: -g:',
    runs: '-E:',
  },
  k6: {
    plain:
      '-u: -d: -i: -q -v -s: --vus= --duration= --iterations= --quiet --no-color --summary-mode= --stage= --tag= --no-summary --paused --max-redirects= --rps= --no-thresholds --env= -e:',
    runs: '-c: --config= --address=',
    writes: '-o: --out= --summary-export= --console-output= --log-output= --traces-output=',
    subcommands: { run: { launch: { script: 'file' } }, ...named('inspect version status stats', {}) },
    otherwise: { spelled: true },
    shared: true,
  },
  grpcurl: {
    style: 'go',
    plain:
      '-plaintext -d= -H= -v -vv -insecure -authority= -max-time= -connect-timeout= -format= -emit-defaults -rpc-header= -reflect-header= -use-reflection -expand-headers=false',
    runs: '-cert= -key= -cacert= -import-path= -proto= -protoset= -unix',
    writes: '-protoset-out= -proto-out-dir=',
  },
  pandoc: {
    plain:
      '-sNS -f: -t: -r: -w: -V: -M: --from= --to= --read= --write= --standalone --toc --toc-depth= --wrap= --columns= --number-sections --metadata= --variable= --strip-comments --shift-heading-level-by= --list-input-formats --list-output-formats --sandbox? --eol=',
    runs: '-F: -L: -d: -H: -B: -A: -c: --filter= --lua-filter= --defaults= --template= --pdf-engine= --pdf-engine-opt= --data-dir= --include-in-header= --include-before-body= --include-after-body= --css= --syntax-definition=',
    writes: '-o: --output= --extract-media= --log=',
    judge: ({ options }) =>
      options
        .filter(({ name, value = '' }) => /^(-[frtw]|--(from|to|read|write))$/.test(name) && !/^[\w+-]+$/.test(value))
        .map(({ valueAt }) => ({ at: valueAt, effect: 'runs' as const })),
  },
  twine: {
    plain: '--strict --verbose --disable-progress-bar --non-interactive --skip-existing',
    runs: '-r: -s -i: -u: -p: -c: --repository= --repository-url= --config-file= --sign-with= --sign --cert= --client-cert= --username= --password=',
    subcommands: named('check upload register', {}),
  },
  nix: {
    plain:
      '-L -v --verbose --quiet --print-build-logs --show-trace --offline --extra-experimental-features= --experimental-features=',
    subcommands: {
      flake: {
        subcommands: named('check show metadata info', {
          plain: '--no-build --all-systems --json --keep-going --legacy --no-update-lock-file --no-write-lock-file',
          runs: '--override-input= --option= --impure --inputs-from= --reference-lock-file=',
          writes: '--output-lock-file= --commit-lock-file --recreate-lock-file --update-input=',
        }),
        otherwise: { spelled: true, launch: { anywhere: true } },
        shared: true,
      },
    },
    otherwise: { spelled: true, others: 'plain', launch: { anywhere: true } },
    shared: true,
  },
};
