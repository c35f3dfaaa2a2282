import { REPORT } from './checkers.ts';
import { riskyOperands } from './judge.ts';
import { DOES_WHAT_IT_SAYS, named, type Program, READS } from './program.ts';

/** Where packages come from, and where they go. */
const PIP: Program = {
  plain:
    '-qvyhUIe -r: -c: --quiet --verbose --yes --upgrade --user --no-deps --pre --force-reinstall --ignore-installed --no-input ' +
    '--requirement= --constraint= --editable= --no-cache-dir --no-color --disable-pip-version-check --progress-bar= ' +
    '--upgrade-strategy= --only-binary= --no-binary= --prefer-binary --no-build-isolation --dry-run --outdated --uptodate --local ' +
    '--format= --not-required --exclude= --files --all --break-system-packages --require-hashes --retries= --timeout= --isolated --require-virtualenv --debug',
  runs: '-i: -f: -C: --index-url= --extra-index-url= --find-links= --python= --config-settings= --global-option= --trusted-host= --proxy= --cert= --use-feature= --no-index',
  writes: '-t: -d: --target= --root= --prefix= --src= --log= --cache-dir= --report= --dest= -w: --wheel-dir=',
  shared: true,
  subcommands: {
    config: { subcommands: named('list get debug', {}), otherwise: { spelled: true } },
    show: { plain: '-f --files' },
  },
  otherwise: {},
};

const PYTEST: Program = {
  plain:
    '-qvsxlh -k: -m: -n: -r: --quiet --verbose --exitfirst --maxfail= --tb= --lf --last-failed --ff --failed-first --nf --sw ' +
    '--stepwise --co --collect-only --fixtures --fixtures-per-test --markers --no-header --no-summary --disable-warnings --disable-pytest-warnings ' +
    '--color= --capture= --show-capture= --setup-show --setup-only --strict-markers --strict-config --durations= --durations-min= ' +
    '--ignore= --ignore-glob= --deselect= --reruns= --timeout= --dist= --numprocesses= --randomly-seed= --asyncio-mode= --log-level= ' +
    '--log-cli-level= --log-format= --log-date-format= --doctest-modules --snapshot-update --cov? --cov-branch --cov-fail-under= --no-cov ' +
    '--showlocals --no-showlocals --import-mode= --runxfail --keep-duplicates --full-trace --code-highlight= --verbosity= --cache-show? --benchmark-skip',
  runs: '-c: -o: -p: -W: --config-file= --override-ini= --rootdir= --confcutdir= --pyargs --pdbcls= --pdb --trace --plugins= --cov-config= --noconftest',
  writes:
    '--basetemp= --cov-report= --junitxml= --junit-xml= --pastebin= --log-file= --debug? --cov-context= --result-log= --html= --report-log=',
  deletes: '--cache-clear',
  harmless: {
    '-p': /^no:\w+$/,
    '-W': /^(ignore|error|default|always|once)$/,
    // into folders and files that it names itself
    '--cov-report':
      /^((term|term-missing)(:skip-covered)?|html|xml|json|lcov|(html|xml|json|lcov):(reports?\/|coverage\/|build\/)?[\w-]+(\.\w+)?)$/,
    '--junitxml': REPORT,
    '--junit-xml': REPORT,
    '--html': REPORT,
  },
  judge: riskyOperands(/^@/, 'runs'),
};

const UV: Program = {
  plain:
    '-qvnh --quiet --verbose --no-progress --color= --offline --no-cache --native-tls --no-python-downloads --no-config --preview',
  runs: '-p: -i: -f: --config-file= --python= --index= --default-index= --index-url= --extra-index-url= --find-links= --allow-insecure-host=',
  writes: '--cache-dir=',
  moves: '--directory= --project=',
  enters: true,
};

const POETRY: Program = {
  plain: '-qvnh --quiet --verbose --no-interaction --no-ansi --ansi --no-plugins --no-cache',
  moves: '-C: -P: --directory= --project=',
  enters: true,
};

const PYTHON: Program = {
  ordered: true,
  others: 'plain',
  language: true,
  plain: '-m: -W: -X: -Q:',
  launch: { module: '-m', script: 'file' },
};

export const PYTHON_TOOLS: Record<string, Program> = {
  ...named('python python2 python3 pypy pypy3 ipython ipython3', PYTHON),
  ...named('pytest py.test', PYTEST),
  ...named('pip pip3', PIP),
  uv: {
    ...UV,
    shared: true,
    subcommands: {
      run: {
        ordered: true,
        plain:
          '-m: -U --isolated --no-project --no-sync --frozen --locked --no-dev --only-dev --dev --all-extras --extra= --group= --no-group= --only-group= ' +
          '--all-groups --with= --with-editable= --with-requirements= --no-editable --active --exact --upgrade --package= --all-packages --reinstall --module=',
        runs: '-s --script --gui-script -w: --env-file= --no-env-file --refresh --config-setting=',
        launch: { module: '-m', script: 'file' },
      },
      tool: { subcommands: { run: { ordered: true, launch: {}, runs: '--from= --with=' } }, otherwise: {} },
      pip: {
        ...PIP,
        runs: `${PIP.runs} ${UV.runs}`,
      },
      ...named('sync lock add remove tree export init version venv build', {
        plain:
          '-U --frozen --locked --no-dev --dev --all-extras --extra= --group= --no-group= --all-groups --upgrade --upgrade-package= --no-install-project --inexact ' +
          '--active --package= --all-packages --optional= --raw --bounds= --depth= --outdated --seed --clear --bare --lib --app --no-build-isolation --check --dry-run',
        writes: '-o: --output-file= --out-dir=',
      }),
      ...named('help self cache python publish', {}),
    },
  },
  uvx: { ordered: true, ...UV, runs: `${UV.runs} --from= --with=`, launch: {} },
  pipx: {
    subcommands: {
      runpip: { ordered: true, launch: { skip: 1, as: 'pip' } },
      run: { ordered: true, launch: {}, runs: '--spec= --pip-args= --python= --index-url=' },
    },
    otherwise: {},
  },
  poetry: {
    ...POETRY,
    shared: true,
    subcommands: {
      run: { ordered: true, launch: {} },
      ...named('install add remove update lock show check build publish version sync', {
        plain:
          '-E: -G: -D -T -l -o -a --no-root --with= --without= --only= --only-root --all-extras --extras= --all-groups --sync --dry-run --no-directory --compile --group= ' +
          '--optional --dev --tree --latest --outdated --no-update --regenerate --short --format= --lock --allow-prereleases --strict --top-level --why --no-truncate --all',
        runs: '--source= -r: --repository= --cert= --client-cert= -u: -p:',
        writes: '--output=',
      }),
      config: { spelled: true },
      self: { spelled: true },
    },
  },
  pipenv: { subcommands: { run: { ordered: true, launch: {} } }, otherwise: {} },
  ...named('pdm hatch rye pixi', { subcommands: { run: { ordered: true, launch: {} } }, otherwise: {} }),
  ...named('conda mamba micromamba', {
    subcommands: {
      run: { ordered: true, plain: '-n: -p: --name= --prefix= --no-capture-output --live-stream', launch: {} },
    },
    otherwise: {},
  }),
  ruff: {
    plain: '-qvsneh --quiet --verbose --silent --no-cache --isolated --color=',
    runs: '--config=',
    writes: '--cache-dir=',
    shared: true,
    subcommands: named('check format rule config linter clean version analyze', {
      plain:
        '--fix --unsafe-fixes --show-fixes --diff --watch --fix-only --ignore-noqa --output-format= --target-version= --preview --select= --ignore= --extend-select= ' +
        '--extend-ignore= --per-file-ignores= --fixable= --unfixable= --exclude= --extend-exclude= --respect-gitignore --force-exclude --exit-zero --exit-non-zero-on-fix ' +
        '--statistics --add-noqa --show-files --show-settings --check --line-length= --stdin-filename= --range= --all',
      writes: '-o: --output-file=',
    }),
    otherwise: {},
  },
  black: {
    plain:
      '-qvSCh -l: -t: --check --diff --color --no-color --quiet --verbose --line-length= --target-version= --skip-string-normalization --fast --safe --include= --exclude= --extend-exclude= --force-exclude= --workers= --preview --pyi --version',
    runs: '--config= -c: --code=',
  },
  isort: {
    plain: '-cqv --check --check-only --diff --profile= --quiet --line-length= --atomic',
    runs: '--settings-path= --settings-file= --sp=',
  },
  flake8: {
    plain:
      '-qv -j: --max-line-length= --select= --ignore= --extend-ignore= --exclude= --statistics --count --show-source --max-complexity= --jobs=',
    runs: '--config= --append-config= --enable-extensions=',
    writes: '--output-file= --tee',
  },
  mypy: {
    plain:
      '-vh -p: -m: --strict --ignore-missing-imports --no-incremental --show-error-codes --show-error-context --pretty --no-color-output --no-error-summary --exclude= --follow-imports= ' +
      '--check-untyped-defs --disallow-untyped-defs --warn-unused-ignores --warn-return-any --no-warn-no-return --explicit-package-bases --namespace-packages --python-version= --platform= --install-types --non-interactive --disable-error-code= --enable-error-code= --skip-cache-mtime-checks',
    harmless: { '--config-file': /^(\.\/)?(pyproject\.toml|mypy\.ini|\.mypy\.ini|setup\.cfg|tox\.ini)$/ },
    runs: '--config-file= --python-executable= --custom-typing-module= -c: --command=',
    writes:
      '--cache-dir= --junit-xml= --html-report= --txt-report= --xml-report= --lineprecision-report= --any-exprs-report= --linecount-report= --cobertura-xml-report=',
  },
  pyright: {
    plain: '-hv -p: --outputjson --stats --verbose --level= --warnings --watch --pythonversion= --project=',
    runs: '--pythonpath= --venvpath= -v: --verifytypes=',
  },
  unittest: {
    plain: '-vqfcb -k: -p: --verbose --quiet --locals --failfast --catch --buffer --pattern=',
    moves: '-s: -t: --start-directory= --top-level-directory=',
    nests: true,
  },
  ...named('http.server json.tool', READS),
  ...named('venv ensurepip compileall', DOES_WHAT_IT_SAYS),
  'pre-commit': {
    plain: '-a --all-files --files --show-diff-on-failure -v --verbose --color= --from-ref= --to-ref= --hook-stage=',
    runs: '-c: --config=',
    shared: true,
    otherwise: {},
  },
  celery: {
    plain: '-c: -l: -Q: -n: -P: --concurrency= --loglevel= --queues= --hostname= --pool= --timeout= --json',
    runs: '-A: -b: --app= --broker= --config= --loader= --workdir=',
    harmless: { '-A': /^[\w.]+$/, '--app': /^[\w.]+$/ },
    shared: true,
    otherwise: {},
  },
  alembic: { plain: '--raiseerr --sql -r: -v', runs: '-c: -x: --config=', shared: true, otherwise: {} },
  tox: {
    launch: { afterDashes: true, skip: 99 },
    plain: '-e: -p? -q -v -r -l -a --parallel? --recreate --listenvs',
    runs: '-c: -x: --conf= --override=',
    writes: '--workdir= --result-json=',
  },
};
