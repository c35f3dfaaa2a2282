import { isKnown, UNKNOWN } from '../marks.ts';
import { type Judge, riskyOperands, writesOperand } from './judge.ts';
import { DOES_WHAT_IT_SAYS, named, type Program, READS } from './program.ts';

/** An index is evaluated, and `a[$(…)]` runs what is in it: bash does so for some numbers, zsh for all. */
const COMPUTED = riskyOperands(new RegExp(`[$\`${UNKNOWN}]`), 'runs');

/** With `%s` alone nothing is computed. */
const PRINTED: Judge = (given) => {
  const [format] = given.operands;
  const isText =
    format !== undefined && /^(?:[^%]|%%|%-?\d*s)*$/s.test(given.words[format]!) && isKnown(given.words[format]!);
  return isText ? [] : COMPUTED(given);
};

/** Files: listing, reading, copying, moving. */
export const FILES: Record<string, Program> = {
  ...named(
    'cat tac nl head tail wc cut paste join comm tr rev fold fmt expand unexpand column cmp diff diff3 od hexdump ' +
      'ls dir vdir stat du df basename dirname realpath readlink pwd which whereis type cksum sum md5sum sha1sum sha224sum ' +
      'sha256sum sha384sum sha512sum b2sum shasum grep egrep fgrep jq seq numfmt factor nproc uname whoami id groups who ' +
      'users uptime free ps pgrep pstree printenv locale tty true false sleep : echo lsblk lscpu vmstat nslookup host ping',
    READS,
  ),
  ...named('cp mv rm rmdir unlink mkdir touch ln chmod chown chgrp tee truncate mktemp shred sync', DOES_WHAT_IT_SAYS),
  ...named('kill pkill killall dd', { judge: COMPUTED, others: 'plain' }),
  ...named('exit return shift break continue ulimit cd pushd popd', { judge: COMPUTED, others: 'plain' }),
  ...named('test [', {
    style: 'words',
    others: 'plain',
    runs: '-v -R',
    endless: true,
    judge: COMPUTED,
  }),
  printf: { ordered: true, runs: '-v:', judge: PRINTED, seesUnknown: true },
  base64: { plain: '-dDi -w: --decode --ignore-garbage --wrap=', writes: '-o: --output=' },
  tree: {
    style: 'each',
    plain:
      '-adlfxqNQpugshDFvtcUrinASCXJ0123456789 -L: -P: -I: -H: -T: --noreport --charset= --filelimit= --du --timefmt= --si ' +
      '--sort= --dirsfirst --filesfirst --gitignore --ignore-case --matchdirs --prune --inodes --device --nolinks --metafirst',
    writes: '-oR --output=',
  },
  date: {
    plain:
      '-uRjn -d: -r: -I? -f: -v: --date= --utc --universal --iso-8601? --rfc-3339= --rfc-email --reference= --debug',
    writes: '-s: --set=',
    judge: ({ words, operands }) =>
      operands.filter((at) => !words[at]!.startsWith('+')).map((at) => ({ at, effect: 'writes' })),
  },
  hostname: { plain: '-sfidIayA --fqdn --short --ip-address', judge: writesOperand(0) },
  file: {
    plain:
      '-biIkLhnNrsl0 -F: -f: -e: -m: -P: --brief --mime --mime-type --mime-encoding --extension --dereference ' +
      '--no-dereference --keep-going --raw --separator= --files-from= --magic-file= --special-files --print0',
    writes: '-Cp --compile --preserve-date',
    runs: '-zZ --uncompress --uncompress-noreport',
  },
  lsof: {
    plain: '-abhlnNoOPRtUvVX? -c: -d: -g? -i? -p: -r? -s? -u: -F? -T?',
    writes: '-D: -k: -m:',
  },
  install: { others: 'plain', runs: '--strip-program= -s --strip' },
  split: {
    plain:
      '-a: -b: -C: -l: -n: -t: -d -x -e -u --bytes= --lines= --number= --suffix-length= --numeric-suffixes? --verbose',
    runs: '--filter=',
  },
  csplit: { plain: '-kqsz -b: -f: -n: --prefix= --digits= --quiet --keep-files --elide-empty-files' },
  xxd: {
    ordered: true,
    plain: '-abCdeEipu -c: -g: -l: -n: -o: -R: -s: -r',
    judge: writesOperand(1),
  },
  less: {
    plain: '-#NRSFXiInreEMmqQsgGw --no-init --quit-if-one-screen --RAW-CONTROL-CHARS',
    judge: riskyOperands(/^\+/, 'runs'),
  },
  more: { plain: '-#dflpcsu' },
  man: { plain: '-akfw -s: -S: --apropos --whatis --where --all', runs: '-P: -H? -C: --pager= --html? --config-file=' },
};
