import { named, type Program, READS } from './program.ts';

/** A file of the project with results, by its usual name. */
export const REPORT = /^(\.\/)?((reports?|coverage|results?|build|out)\/)?[\w-]+\.(json|xml|sarif|txt|html|lcov|out)$/;

/** Linters, scanners, formatters and test runners outside of the JavaScript and Python files. */
export const CHECKERS: Record<string, Program> = {
  ...named('shellcheck strings readelf expr cal bc tput eza exa hadolint', READS),
  cloc: {
    plain:
      '-v -h --json --csv --yaml --md --xml --by-file --by-file-by-lang --vcs= --git --diff --exclude-dir= --include-lang= --exclude-lang= --match-f= --not-match-f= --quiet --hide-rate --sum-one --max-file-size= --include-ext= --exclude-ext= --fullpath --not-match-d= --timeout=',
  },
  scc: {
    plain:
      '-wczah -f: -i: -s: -M: -n: --by-file --format= --include-ext= --exclude-dir= --sort= --wide --no-cocomo --ci --not-match= --no-complexity --exclude-ext=',
    writes: '-o: --output=',
  },
  ...named('nm objdump', {
    plain:
      '-aAbBCDdfghilnoprstuvxSTwj: -M: --demangle? --dynamic --defined-only --undefined-only --extern-only --size-sort --numeric-sort --disassemble? --section= --syms --headers --full-contents --source --all-headers',
  }),
  ffprobe: {
    style: 'words',
    plain:
      '-v= -loglevel= -hide_banner -show_format -show_streams -show_entries= -of= -print_format= -select_streams= -show_frames -count_frames -pretty -i=',
  },
  actionlint: {
    style: 'go',
    plain: '-color -no-color -format= -ignore= -oneline -verbose -version',
    runs: '-shellcheck= -pyflakes= -config-file=',
  },
  shfmt: {
    plain:
      '-dlsnf -i: -ln= -bn -ci -sr -kp -fn -mn --diff --list --simplify --indent= --language-dialect= --binary-next-line --case-indent',
    writes: '-w --write',
    harmless: {},
  },
  yamllint: {
    plain: '-hsvf: -d: --strict --format= --no-warnings --list-files --config-data=',
    runs: '-c: --config-file=',
    harmless: { '-c': /^(\.\/)?\.yamllint[\w.-]*$/ },
  },
  bat: {
    plain:
      '-pnAfPuh -l: -r: -H: -m: --plain --number --show-all --language= --line-range= --highlight-line= --style= --color= --theme= --decorations= --wrap= --tabs= --no-pager',
    runs: '--pager= --paging= --config-file=',
    harmless: { '--paging': /^(never|auto)$/ },
  },
  ...named('nc ncat netcat', {
    plain: '-zvnu46dhkNl -w: -W: -i: -q: -p: -s: --wait= --ssl --send-only --recv-only --udp',
    runs: '-e: -c: -x: -X: -U --exec= --sh-exec= --lua-exec= --proxy= --proxy-auth=',
    writes: '-o: --output= --hex-dump=',
    obeysInput: true,
  }),
  hyperfine: {
    ordered: true,
    plain:
      '-NiLr: -w: -m: -M: -n: -D: --runs= --warmup= --min-runs= --max-runs= --ignore-failure --style= --time-unit= --command-name=',
    runs: '-p: -s: -c: -S: --prepare= --setup= --cleanup= --conclude= --shell=',
    writes: '--export-json= --export-markdown= --export-csv= --output=',
    launch: { anywhere: true },
    spelled: true,
  },
  ...named('pylint flake8 bandit', {
    plain:
      '-rlnvqhfE -j: -f: -d: -e: -x: -s: -t: -i -ll -lll --jobs= --disable= --enable= --errors-only --score= --output-format= --reports= --max-line-length= --select= --ignore= --extend-ignore= --extend-select= --exclude= --extend-exclude= --count --statistics --show-source --format= --max-complexity= --per-file-ignores= --recursive= --fail-under= --msg-template= --skip= --severity-level= --confidence-level= --tests=',
    runs: '-c: --rcfile= --config= --load-plugins= --init-hook= --append-config= --isolated --configfile=',
    writes: '-o: --output= --output-file= --tee --generate-rcfile',
    harmless: {
      '--rcfile': /^(\.\/)?(\.pylintrc|pyproject\.toml|setup\.cfg)$/,
      '--config': /^(\.\/)?(\.flake8|setup\.cfg|tox\.ini|pyproject\.toml)$/,
      '-c': /^(\.\/)?(\.bandit|bandit\.ya?ml|pyproject\.toml)$/,
    },
  }),
  coverage: {
    subcommands: {
      run: {
        ordered: true,
        plain: '-ap -m: --append --branch --parallel-mode --source= --omit= --include= --timid --concurrency=',
        runs: '--rcfile= --debug=',
        writes: '--data-file=',
        launch: { module: '-m', script: 'file' },
      },
      ...named('report xml html json lcov annotate', {
        plain:
          '-mi --show-missing --skip-covered --skip-empty --fail-under= --omit= --include= --precision= --sort= --format= --pretty-print --show-contexts',
        runs: '--rcfile=',
        writes: '-o: -d: --directory= --data-file=',
        harmless: { '-o': REPORT, '-d': /^(\.\/)?(htmlcov|coverage)$/ },
      }),
      ...named('combine erase debug help', { plain: '-a --append --keep' }),
    },
  },
  nox: {
    plain:
      '-lrRs: -t: -k: -p: -v -x --list --sessions= --tags= --keywords= --pythons= --reuse-existing-virtualenvs --no-install --stop-on-first-error',
    runs: '-f: --noxfile= --default-venv-backend= --extra-pythons=',
    writes: '--report= --envdir=',
    launch: { afterDashes: true, skip: 99 },
  },
  ...named('pip-audit pipdeptree safety', {
    plain:
      '-lrfdspv -r: -f: -s: -i: --local --format= --json --json-tree --packages= --reverse --requirement= --desc? --dry-run --strict --skip-editable --ignore-vuln= --vulnerability-service= --warn= --freeze --depth=',
    writes: '-o: --output= --fix --cache-dir= --graph-output=',
    otherwise: {},
    shared: true,
  }),
  ...named('sphinx-build mkdocs', {
    plain: '-abEnqvWsM: -b: -j: --keep-going --strict --clean --quiet --verbose --dirty --dev-addr= -c --no-livereload',
    runs: '-f: -D: --config-file= -c: --theme=',
    writes: '-d: --site-dir= -w:',
    otherwise: {},
    shared: true,
  }),
  ...named('uvicorn gunicorn flask', {
    plain:
      '-b: -w: -k: -t: --host= --port= --reload --workers= --bind= --timeout= --log-level= --debug --no-debugger --lifespan= --no-access-log',
    runs: '-c: --config= --app= --env-file= --app-dir= --pythonpath= --chdir= --log-config= --factory',
    subcommands: { routes: {}, run: {}, db: { otherwise: {} } },
    otherwise: {},
    shared: true,
    writes: '--access-logfile= --error-logfile= --log-file= --pid=',
    harmless: { '--access-logfile': /^-$/, '--error-logfile': /^-$/, '--app': /^[\w.:]+$/ },
  }),
  ...named('staticcheck goimports govulncheck gofumpt golint', {
    style: 'go',
    plain:
      '-d -e -l -v -checks= -tests -go= -f= -explain= -json -show= -local= -mode= -test -extra -fail= -matrix -scan= -format=',
    writes: '-w -cpuprofile= -memprofile= -trace=',
    moves: '-C=',
  }),
  ...named('phpunit pest', {
    plain:
      '-vh --filter= --testsuite= --group= --exclude-group= --testdox --stop-on-failure --stop-on-error --colors? --no-coverage --list-tests --verbose --debug --order-by= --parallel --compact --coverage-text? --display-warnings --display-deprecations --fail-on-warning --process-isolation',
    runs: '-c: --configuration= --bootstrap= --printer= --extension= --prepend= --loader= --no-configuration --include-path= -d:',
    writes:
      '--log-junit= --coverage-html= --coverage-clover= --coverage-xml= --coverage-php= --cache-directory= --testdox-html=',
    harmless: {
      '-c': /^(\.\/)?phpunit(\.[\w-]+)*\.xml(\.dist)?$/,
      '--configuration': /^(\.\/)?phpunit(\.[\w-]+)*\.xml(\.dist)?$/,
    },
  }),
  ...named('phpstan psalm pint phpcs php-cs-fixer rector', {
    plain:
      '-lvqnsp --level= --memory-limit= --no-progress --error-format= --xdebug --debug --no-cache --show-info? --threads= --stats --test --dirty --dry-run --diff --extensions= --ignore= --colors --verbose --no-interaction --ansi --no-ansi --clear-cache',
    runs: '-c: -a: --configuration= --autoload-file= --config= --plugin= --bootstrap= --standard= --report= --root=',
    writes: '--generate-baseline? --report-file= --set-baseline= --cache-file=',
    harmless: {
      '-c': /^(\.\/)?(phpstan|psalm)(\.[\w-]+)*\.(neon|xml)(\.dist)?$/,
      '--configuration': /^(\.\/)?phpstan(\.[\w-]+)*\.neon(\.dist)?$/,
      '--standard': /^\w[\w,]*$/,
      '--report': /^\w+$/,
    },
    otherwise: {},
    shared: true,
  }),
  ...named('rake rails', {
    plain:
      '-ATPDqsvnj: --tasks --trace --quiet --silent --dry-run --verbose --jobs= --all --where= --prereqs -g: -c: --grep= --controller= --expanded -b: -p: -e: --environment=',
    runs: '-f: -r: -I: -E: --rakefile= --require= --libdir= --execute= --eval= --execute-print= --execute-continue= --system -p: -e:',
    moves: '-C: --directory=',
    subcommands: {
      ...named('runner r console c dbconsole db', { spelled: true }),
      ...named('new destroy plugin', { spelled: true }),
    },
    otherwise: {},
    shared: true,
    harmless: { '-e': /^(test|development|production)$/, '-p': /^\d+$/ },
  }),
  brakeman: {
    plain:
      '-qAzw: -f: -n --quiet --no-pager --format= --no-exit-on-warn --ensure-latest --no-progress --summary --only-files= --skip-files= --confidence-level=',
    runs: '-c: --config-file= --add-checks-path=',
    writes: '-o: --output=',
    harmless: { '-o': REPORT },
  },
  tflint: {
    plain:
      '-f: --recursive --format= --minimum-failure-severity= --force --color --no-color --var= --enable-rule= --disable-rule= --only= --init --filter=',
    runs: '-c: --config= --var-file=',
    moves: '--chdir=',
    writes: '--fix',
  },
  'ansible-lint': {
    plain:
      '-pqvLTf: -x: -w: -t: --offline --profile= --strict --format= --skip-list= --warn-list= --tags= --nocolor --list-rules',
    runs: '-r: -R -c: --config-file= --rules-dir= --project-dir=',
    writes: '--fix? --write? --sarif-file= --generate-ignore',
  },
  ...named('gitleaks trufflehog trivy grype syft semgrep snyk', {
    plain:
      '-vqhf: -l: -s: --severity= --format= --exit-code= --ignore-unfixed --scanners= --no-banner --redact? --verbose --quiet --no-progress --skip-dirs= --skip-files= --only-fixed --fail-on= --config= --severity-threshold= --all-projects --json --error --metrics= --exclude= --include= --lang= --max-target-bytes= --no-git --only-verified --results= --log-level= --log-opts= --staged --scope= --offline-scan --skip-db-update',
    runs: '-c: -e: --baseline-path= --plugin= --template= --server= --autofix --config= --log-opts=',
    writes: '-o: -r: --output= --report-path= --cache-dir= --file= --sarif-output= --json-file-output=',
    harmless: {
      '--config': /^(auto|p\/[\w-]+|r\/[\w.-]+|(\.\/)?\.?[\w-]+\.(toml|ya?ml))$/,
      '-o': REPORT,
      '--output': REPORT,
      '-r': REPORT,
      '--report-path': REPORT,
    },
    subcommands: {
      ...named('detect protect dir git filesystem fs image repo config scan ci test monitor code container', {}),
      ...named('plugin server client auth login publish', { spelled: true }),
    },
    otherwise: {},
    shared: true,
  }),
  ...named('stern kubectx kubens', {
    plain:
      '-An: -l: -c: -s: -o: -t -e: -i: --tail= --since= --namespace= --selector= --container= --all-namespaces --timestamps? --output= --exclude= --include= --no-follow --color= --context= --max-log-requests=',
    runs: '--kubeconfig= --config= --template= --template-file=',
  }),
  ...named('kind minikube k3d', {
    plain:
      '-n: -p: --name= --profile= -o: --output= --driver= --cpus= --memory= --wait= --all --image= --nodes= --kubernetes-version= --url',
    runs: '--config= --kubeconfig=',
    subcommands: {
      kubectl: { launch: { self: true, afterDashes: true } },
      ssh: { launch: { anywhere: true }, spelled: true },
    },
    otherwise: {},
    shared: true,
  }),
  ...named('flutter dart', {
    plain:
      '-hvd: -t: -r: -n: -j: --no-pub --coverage --name= --plain-name= --reporter= --release --debug --profile --machine --concurrency= --set-exit-if-changed --fatal-infos --fatal-warnings --no-fatal-infos --offline --dry-run --apply --line-length= --verbose --tags= --update-goldens --platform= --target-platform= --device-id=',
    runs: '--dart-define-from-file= --packages= --enable-vm-service? --plugin= -D:',
    writes: '-o: --output= --coverage-path= --build-name=',
    harmless: { '-o': /^(none|show|json|write)$/, '--output': /^(none|show|json|write)$/ },
    subcommands: {
      run: { launch: { script: 'file' } },
      pub: {
        subcommands: { run: { launch: { script: 'file' } }, ...named('get upgrade outdated deps add remove', {}) },
        otherwise: { spelled: true },
      },
      config: { spelled: true },
    },
    otherwise: {},
    shared: true,
  }),
  ...named('sbt mill', {
    plain: '-batch -no-colors -Dsbt.color=false -v -mem= --client -client -J-Xmx2g',
    style: 'words',
  }),
  ...named('bazel bazelisk', {
    ordered: true,
    plain: '--batch',
    runs: '--bazelrc= --host_jvm_args= --output_base= --output_user_root= --server_javabase= --nohome_rc --nosystem_rc',
    subcommands: {
      ...named('build test query cquery aquery info version fetch clean coverage', {
        plain:
          '-ckt: -j: -c: --config= --test_output= --test_filter= --jobs= --keep_going --nocache_test_results --cache_test_results= --runs_per_test= --output= --compilation_mode= --verbose_failures --test_arg= --noshow_progress --color= --curses= --test_tag_filters= --build_tests_only --notool_deps --noimplicit_deps --expunge',
      }),
      run: { plain: '-c: --config=', launch: { afterDashes: true, script: 'file' } },
    },
  }),
  meson: {
    plain:
      '-v -j: --suite= --print-errorlogs --no-rebuild --num-processes= --verbose --list --repeat= --buildtype= --wipe --reconfigure',
    moves: '-C:',
    nests: true,
    runs: '--wrapper= --gdb --setup= --native-file= --cross-file= --wrap=',
    subcommands: named('compile test introspect configure setup install', {}),
    otherwise: {},
    shared: true,
  },
  ...named('clang-format clang-tidy', {
    style: 'go',
    plain:
      '-n -Werror -dry-run -style= -lines= -verbose -checks= -p= -quiet -header-filter= -warnings-as-errors= -list-checks -files= -assume-filename= -fallback-style=',
    writes: '-i -fix -fix-errors -export-fixes= -fix-notes',
    runs: '-config= -config-file= -load= -extra-arg= -extra-arg-before= -vfsoverlay= -plugin=',
    harmless: { '-p': /^(\.\/)?(build|out)[\w/-]*$/ },
  }),
  ...named('hugo jekyll', {
    plain: `-DEFsdw -b: -p: -H: --minify --buildDrafts --gc --environment= --baseURL= --port= --bind= --drafts --future --watch --livereload --incremental --trace --verbose --quiet --cleanDestinationDir --logLevel= --printPathWarnings`,
    runs: '--config= --configDir= --themesDir= -t: --plugins=',
    writes: '--destination= --cacheDir= -d:',
    moves: '--source= -s:',
    harmless: { '-d': /^(\.\/)?(public|_site|dist)$/, '--destination': /^(\.\/)?(public|_site|dist)$/ },
    otherwise: {},
    shared: true,
  }),
};
