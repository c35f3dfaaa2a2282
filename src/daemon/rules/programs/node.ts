import { OWN_CONFIG, OWN_TSCONFIG } from './js-tools.ts';
import { riskyOperands } from './judge.ts';
import { named, type Program } from './program.ts';

/** A reporter, formatter or environment by name; a path would be code to load. */
const BY_NAME = /^[\w@,-]+$/;

/**
 * What a package.json script does with its arguments depends on the tool it calls. These options make one of the usual tools (test runners,
 * linters, bundlers, compilers) load other code or write elsewhere.
 */
export const SCRIPT_ARGUMENTS: Program = {
  camel: true,
  endless: true,
  others: 'plain',
  exact: true,
  runs:
    '-c: -r: --config= --configFile= --configLoader= --require= --import= --loader= --experimentalLoader= --plugin= ' +
    '--plugins= --pluginSearchDir= --preset= --runner= --testRunner= --globalSetup= --globalTeardown= --setupFiles= ' +
    '--setupFilesAfterEnv= --transform= --resolver= --environment= --testEnvironment= --env= --reporter= --reporters= ' +
    '--format= --formatter= --parser= --rulesdir= --resolvePluginsRelativeTo= --nodeOptions= --execArgv= --nodeArguments= ' +
    '--poolOptions.* --pool= --browser.* --exec= --eval= --print= --shell= --scriptShell= --preload= ' +
    '--watchExec= --onSuccess= --onFailure= --hook= --config.*',
  writes:
    '-o: --output= --outputFile= --outputDir= --outDir= --outFile= --outfile= --outdir= --out= --coverageDirectory= ' +
    '--coverage.* --cacheDirectory= --cacheLocation= --cacheDir= --tsBuildInfoFile= --declarationDir= --reportsDirectory=',
  moves: '--root= --rootDir= --dir= --cwd= --basePath= -C:',
  harmless: {
    ...Object.fromEntries(
      '--reporter --reporters --format --formatter --parser --environment --testEnvironment --env --pool --runner --preset'
        .split(' ')
        .map((name) => [name, BY_NAME]),
    ),
    '--coverage.enabled': /^(true|false)?$/,
  },
  // some put the arguments into a shell command without quoting
  judge: riskyOperands(/[`$]/, 'runs'),
};

const NPM_PLAIN =
  '-s -d -dd -ddd -q -S -D -E -O -P -B -f -y -n -l -p -a -m -w= -ws -iwr --silent --quiet --verbose --loglevel= --if-present ' +
  '--workspace= --workspaces --include-workspace-root --ignore-scripts --foreground-scripts --json --long --parseable --depth= ' +
  '--all --omit= --include= --production --only= --prefer-offline --prefer-online --offline --audit --no-audit --fund --no-fund ' +
  '--progress --no-progress --color --no-color --save --no-save --save-dev --save-exact --save-optional --save-peer ' +
  '--save-prod --save-bundle --legacy-peer-deps --strict-peer-deps --package-lock --no-package-lock --package-lock-only ' +
  '--dry-run --force --yes --no --no-install --tag= --access= --otp= --prod --dev --link --no-optional --no-shrinkwrap ' +
  '--audit-level= --engine-strict --install-links --no-bin-links --update-notifier --no-update-notifier --unicode ' +
  '--prefer-dedupe --no-version --git-tag-version --no-git-tag-version --message= --preid= --searchlimit= --usage -h -v';
const NPM_RUNS =
  '-c= --script-shell= --shell= --node-options= --userconfig= --globalconfig= --git= --editor= --viewer= --browser= --call= ' +
  '--init-module= --registry= --node-gyp= --python= --scripts-prepend-node-path= --package= -reg= --cafile= --proxy= --https-proxy=';

/** Asking for a setting does no harm. */
const CONFIGURES: Program = { subcommands: named('get list ls', {}), otherwise: { spelled: true } };

/** npm runs a script or a package's program; its own options may be anywhere before `--`. */
const NPM: Program = {
  style: 'words',
  plain: NPM_PLAIN,
  runs: NPM_RUNS,
  writes: '-g -L= --global --location= --cache= --logs-dir= --tmp= --pack-destination= --prefix-dir=',
  moves: '-C= --prefix=',
  enters: true,
  shared: true,
  subcommands: {
    run: { launch: { script: 'script' } },
    'run-script': 'run',
    ...named('test start stop restart', { launch: { self: true, script: 'script' } }),
    t: 'test',
    ...named('exec x', { launch: { afterDashes: true } }),
    ...named(
      'ls list ll la view v info show outdated audit search s why explain ping whoami help doctor fund query',
      {},
    ),
    install: {},
    ...Object.fromEntries('i in ins inst add'.split(' ').map((name) => [name, 'install'])),
    config: CONFIGURES,
    c: 'config',
    get: {},
    set: { spelled: true },
    explore: { spelled: true, launch: { skip: 1 } },
    edit: { spelled: true },
  },
};

const PNPM_RUNS =
  '--script-shell= --shell-emulator --node-options= --config.* --pnpmfile= --global-pnpmfile= --hooks-dir= --use-node-version= --package= ' +
  '--registry= --userconfig= --git-shallow-hosts=';
const PNPM: Program = {
  plain:
    '-rwsDEOPLfhv -F: --filter= --filter-prod= --recursive --workspace-root --silent --reporter= --loglevel= --parallel --stream ' +
    '--aggregate-output --if-present --frozen-lockfile --no-frozen-lockfile --prefer-offline --offline --lockfile-only ' +
    '--ignore-scripts --prod --dev --no-optional --save-dev --save-prod --save-exact --save-optional --save-peer --workspace ' +
    '--latest --depth= --json --long --parseable --no-bail --bail --sort --no-sort --reverse --color --no-color ' +
    '--workspace-concurrency= --resume-from= --fix-lockfile --force --shamefully-hoist --strict-peer-dependencies --dry-run ' +
    '--tag= --access= --no-git-checks --report-summary --fail-if-no-match --changed-files-ignore-pattern= --test-pattern= -y --yes',
  runs: `${PNPM_RUNS} -c --shell-mode`,
  writes:
    '-g --global --global-dir= --global-bin-dir= --store-dir= --virtual-store-dir= --modules-dir= --lockfile-dir= --state-dir= --cache-dir=',
  moves: '-C: --dir= --prefix=',
  enters: true,
  harmless: { '--reporter': BY_NAME },
};
/** After the script's name everything goes to the script, except what pnpm takes anyway. */
const SCRIPT: Program = { others: 'plain', launch: { script: 'script' } };

/** Of a package, or of package.json. */
const PROGRAM_OR_SCRIPT: Program = { others: 'plain', launch: { self: true, script: 'script or program' } };
const RUN_EITHER: Program = { others: 'plain', launch: { script: 'script or program' } };
const PACKAGES: Program = {};

const YARN: Program = {
  plain:
    '-sWDEOPTvh -A --silent --verbose --json --immutable --immutable-cache --frozen-lockfile --check-files --check-cache ' +
    '--ignore-scripts --ignore-engines --ignore-optional --ignore-platform --production? --prod --offline --prefer-offline ' +
    '--non-interactive --no-progress --network-timeout= --dev --exact --peer --optional --tilde --caret --latest --pattern= ' +
    '--depth= --level= --groups= --inline-builds --mode= --cached --interactive --all --recursive --since? --parallel --topological ' +
    '--topological-dev --include= --exclude= --from= --jobs= --verbose --no-private --worktree --no-lockfile --pure-lockfile --force',
  runs: '--script-shell= --use-yarnrc= --rc --inspect? --inspect-brk? --require= --registry= --plugnplay --enable-pnp --node-options=',
  writes:
    '--modules-folder= --cache-folder= --global-folder= --preferred-cache-folder= --link-folder= --prefix= --mutex=',
  moves: '--cwd=',
  enters: true,
  shared: true,
  subcommands: {
    run: RUN_EITHER,
    ...named('exec dlx', { ordered: true, launch: {} }),
    ...named(
      'install add remove upgrade up info why list outdated audit link unlink import pack publish init cache dedupe rebuild ' +
        'set plugin version versions licenses check node bin patch patch-commit stage search explain constraints create',
      PACKAGES,
    ),
    npm: { launch: { self: true } },
    config: CONFIGURES,
  },
  otherwise: PROGRAM_OR_SCRIPT,
};

export const NODE: Record<string, Program> = {
  npm: NPM,
  npx: {
    ordered: true,
    style: 'words',
    plain: `${NPM_PLAIN} --ignore-existing`,
    runs: `${NPM_RUNS} -p=`,
    moves: '-C= --prefix=',
    enters: true,
    launch: {},
  },
  pnpx: { ordered: true, plain: PNPM.plain!, runs: PNPM.runs!, launch: {} },
  bunx: { ordered: true, plain: '--bun --silent --verbose', runs: '-p: --package=', launch: {} },
  pnpm: {
    ...PNPM,
    shared: true,
    subcommands: {
      ...named('run run-script', SCRIPT),
      ...named('test t tst start stop restart', { others: 'plain', launch: { self: true, script: 'script' } }),
      ...named('exec dlx', { ordered: true, launch: {} }),
      ...named(
        'install i add remove rm uninstall un update up upgrade ls list ll la why outdated audit link unlink import rebuild ' +
          'dedupe fetch prune pack publish root bin view licenses store init patch deploy create env setup server approve-builds',
        PACKAGES,
      ),
      config: CONFIGURES,
    },
    otherwise: PROGRAM_OR_SCRIPT,
  },
  yarn: {
    ...YARN,
    subcommands: {
      ...YARN.subcommands,
      workspace: { otherwise: YARN, launch: { skip: 1, as: 'yarn' } },
      workspaces: {
        subcommands: {
          foreach: {
            ordered: true,
            plain:
              '-AaipvtWwR -j: --all --parallel --topological --topological-dev --interlaced --verbose --include= --exclude= --since? --worktree --no-private --recursive --from= --jobs= --dry-run',
            launch: { as: 'yarn' },
          },
          list: {},
        },
        otherwise: YARN,
      },
    },
  },
  bun: {
    language: true,
    plain: '-bwuv --bun --watch --hot --smol --silent --if-present --filter= -F: --no-clear-screen',
    runs: '-r: -e: -p: -c: --preload= --eval= --print= --config= --require= --import= --shell= --inspect? --env-file= --define=',
    moves: '--cwd=',
    enters: true,
    shared: true,
    subcommands: {
      run: RUN_EITHER,
      x: { ordered: true, launch: {} },
      test: {
        plain:
          '-t: -u --test-name-pattern= --timeout= --update-snapshots --rerun-each= --only --todo --coverage --coverage-reporter= --bail? ' +
          '--concurrent --randomize --seed= --reporter=',
        harmless: { '--reporter': BY_NAME },
      },
      ...named('install i add a remove rm update outdated link unlink pm publish patch audit why info', {
        plain:
          '-dDEgfy --dev --optional --peer --exact --frozen-lockfile --production --ignore-scripts --no-save --dry-run --force --no-progress',
      }),
      build: {
        plain: '--minify --target= --format= --splitting --sourcemap? --external= --watch --production',
        writes: '--outdir= --outfile=',
      },
    },
    otherwise: PROGRAM_OR_SCRIPT,
  },
  tsc: {
    plain:
      '-bwvhd -t: -m: --noEmit --build --watch --pretty? --strict --skipLibCheck --listFiles --listFilesOnly --listEmittedFiles --showConfig ' +
      '--noErrorTruncation --incremental --force --verbose --dry --clean --target= --module= --jsx= --lib= --types= ' +
      '--moduleResolution= --esModuleInterop --allowJs --checkJs --resolveJsonModule --isolatedModules --declaration --emitDeclarationOnly ' +
      '--sourceMap --noUnusedLocals --noUnusedParameters --noImplicitAny --extendedDiagnostics --diagnostics --explainFiles --traceResolution --all',
    writes:
      '-p: --project= --outDir= --outFile= --declarationDir= --tsBuildInfoFile= --generateTrace= --generateCpuProfile= --init ' +
      '--rootDir= --baseUrl=',
    harmless: {
      '-p': OWN_TSCONFIG,
      '--project': OWN_TSCONFIG,
      '--outDir': /^(\.\/)?(dist|build|out)(\/[\w-]+)*$/,
    },
    judge: riskyOperands(/^@/, 'runs'),
  },
  vitest: {
    camel: true,
    plain:
      '-uwh -t: --testNamePattern= --update --watch --run --coverage --no-coverage --coverage.enabled? --silent? --hideSkippedTests ' +
      '--bail= --retry= --project= --globals --passWithNoTests --allowOnly --logHeapUsage --maxWorkers= --minWorkers= --testTimeout= ' +
      '--hookTimeout= --teardownTimeout= --isolate --no-isolate --fileParallelism --no-fileParallelism --no-file-parallelism --shard= ' +
      '--changed? --sequence.* --color --no-color --clearScreen --no-clearScreen --typecheck --typecheck.only --exclude= --expandSnapshotDiff ' +
      '--disableConsoleIntercept --maxConcurrency= --filesOnly --printConsoleTrace --slowTestThreshold= --standalone --json? --mode=',
    runs:
      '-c: -r: --config= --configLoader= --root= --globalSetup= --environment= --pool= --poolOptions.* --execArgv= --reporter= ' +
      '--browser? --browser.* --runner= --coverage.* --api? --ui --open --inspect? --inspectBrk? --diff= --snapshotEnvironment= ' +
      '--typecheck.* --vmMemoryLimit=',
    writes: '--outputFile? --outputFile.* --attachmentsDir=',
    moves: '--dir=',
    harmless: {
      '-c': OWN_CONFIG,
      '--config': OWN_CONFIG,
      '--reporter': BY_NAME,
      '--coverage.reporter': BY_NAME,
      '--coverage.provider': /^(v8|istanbul)$/,
      '--environment': /^(node|jsdom|happy-dom|edge-runtime)$/,
      '--pool': /^(forks|threads|vmThreads|vmForks)$/,
    },
  },
  jest: {
    camel: true,
    plain:
      '-biouve -t: -w: --testNamePattern= --testPathPattern= --testPathPatterns= --updateSnapshot --watch --watchAll? --coverage? --collectCoverage? ' +
      '--silent? --verbose? --bail? --runInBand --maxWorkers= --ci --findRelatedTests --onlyChanged --changedSince= --lastCommit ' +
      '--passWithNoTests --cache --no-cache --detectOpenHandles --forceExit --json --listTests --color --colors --testTimeout= --shard= ' +
      '--selectProjects= --noStackTrace --logHeapUsage --expand --errorOnDeprecated --watchman? --no-watchman --showConfig --testPathIgnorePatterns= ' +
      '--collectCoverageFrom= --onlyFailures --randomize --seed= --no-coverage --useStderr --clearMocks --resetMocks --runTestsByPath',
    runs:
      '-c: --config= --globalSetup= --globalTeardown= --setupFiles= --setupFilesAfterEnv= --runner= --testRunner= --transform= ' +
      '--resolver= --testEnvironment= --env= --reporters= --preset= --projects= --prettierPath= --snapshotSerializers= --testSequencer= ' +
      '--testResultsProcessor= --filter= --haste= --modulePaths= --moduleNameMapper= --notify --watchPlugins= --coverageProvider=',
    writes: '--outputFile= --coverageDirectory= --cacheDirectory= --clearCache',
    moves: '--rootDir= --roots=',
    harmless: {
      '-c': OWN_CONFIG,
      '--config': OWN_CONFIG,
      '--testEnvironment': /^(node|jsdom)$/,
      '--env': /^(node|jsdom)$/,
      '--reporters': /^(default|summary|github-actions)$/,
      '--coverageProvider': BY_NAME,
    },
  },
  mocha: {
    plain:
      '-bgiwAcCv -t: -R: -f: --grep= --bail --timeout= --recursive --exit --watch --reporter= --forbid-only --retries= --parallel --jobs= --color --no-color --dry-run --slow=',
    runs: '-r: -n: -u: --require= --config= --package= --opts= --import= --loader= --node-option= --file= --ui= --reporter-option=',
    harmless: { '-R': BY_NAME, '--reporter': BY_NAME },
  },
  eslint: {
    plain:
      '-hv --ext= --fix --fix-dry-run --fix-type= --max-warnings= --quiet --cache --no-cache --cache-strategy= --no-eslintrc ' +
      '--no-config-lookup --rule= --env= --global= --ignore-pattern= --ignore-path= --no-ignore --no-inline-config --color --no-color ' +
      '--report-unused-disable-directives --report-unused-disable-directives-severity= --no-error-on-unmatched-pattern --debug --stdin ' +
      '--stdin-filename= --exit-on-fatal-error --pass-on-no-patterns --no-warn-ignored --stats --print-config= --concurrency= --flag=',
    runs: '-c: --config= --rulesdir= --plugin= --parser= --parser-options= --resolve-plugins-relative-to= --init --mcp -f: --format=',
    writes:
      '-o: --output-file= --cache-location= --cache-file= --suppressions-location= --suppress-all --suppress-rule= --prune-suppressions',
    harmless: { '-c': OWN_CONFIG, '--config': OWN_CONFIG, '-f': BY_NAME, '--format': BY_NAME },
  },
  prettier: {
    plain:
      '-clwuhv --check --list-different --write --ignore-path= --no-config --no-editorconfig --log-level= --loglevel= --no-color --color ' +
      '--ignore-unknown --cache --cache-strategy= --stdin-filepath= --single-quote --tab-width= --print-width= --use-tabs --no-semi ' +
      '--trailing-comma= --prose-wrap= --end-of-line= --no-error-on-unmatched-pattern --with-node-modules --file-info= --find-config-path= --support-info',
    runs: '--config= --plugin= --plugin-search-dir= --parser= --config-precedence=',
    writes: '--cache-location=',
    harmless: { '--config': OWN_CONFIG, '--parser': BY_NAME },
  },
  biome: {
    plain:
      '--colors= --use-server --verbose --skip-parse-errors --no-errors-on-unmatched --error-on-warnings --reporter= --log-level= --log-kind= ' +
      '--diagnostic-level= --max-diagnostics= --json --write --apply --apply-unsafe --fix --unsafe --staged --changed --since= --only= --skip= ' +
      '--linter-enabled= --formatter-enabled= --stdin-file-path= --files-ignore-unknown= --indent-style= --line-width= --vcs-enabled= --assist-enabled=',
    moves: '--config-path= --vcs-root=',
    subcommands: named('check lint format ci search explain rage version', {}),
    otherwise: {},
    shared: true,
  },
  playwright: {
    camel: true,
    subcommands: {
      test: {
        plain:
          '-xuhG -g: -j: --grep= --grepInvert= --project= --headed --workers= --retries= --timeout= --globalTimeout= --trace= --updateSnapshots? ' +
          '--list --lastFailed --shard= --maxFailures= --quiet --passWithNoTests --repeatEach= --forbidOnly --fullyParallel --onlyChanged? --browser= ' +
          '--ignoreSnapshots --noDeps --no-deps --failOnFlakyTests --testList=',
        runs: '-c: --config= --reporter= --tsconfig= --ui --uiPort= --uiHost= --debug',
        writes: '--output=',
        harmless: { '-c': OWN_CONFIG, '--config': OWN_CONFIG, '--reporter': BY_NAME },
      },
      ...named('--version install install-deps show-report', {}),
    },
  },
  turbo: {
    ordered: true,
    plain: '-F: --filter= --force --no-cache --parallel --continue? --output-logs= --dry? --concurrency=',
    subcommands: { run: {} },
    otherwise: {},
    shared: true,
    moves: '--cwd=',
  },
  ...named('tsx ts-node', { ordered: true, others: 'plain', language: true, launch: { script: 'file' } }),
  ...named('node nodejs', { ordered: true, others: 'plain', language: true, launch: { script: 'file' } }),
  deno: {
    language: true,
    subcommands: {
      ...named('run eval repl', { ordered: true, others: 'plain', language: true, launch: { script: 'file' } }),
      ...named('check lint fmt info doc types', {
        plain: '--check --quiet --json --watch --fix --all --ext= --no-lock --unstable --rules',
        runs: '-c: --config= --plugin= --import-map= --lock? -r --reload?',
      }),
      test: {
        plain:
          '-q -N? -R? -E? -S? --quiet --filter= --fail-fast? --no-check --doc --trace-leaks --parallel --shuffle? --allow-read? --allow-env? --allow-net? --allow-sys? --allow-import? --allow-hrtime ' +
          '--deny-read? --deny-env? --deny-net? --deny-write? --deny-run? --ignore= --reporter= --seed= --watch --no-prompt --unstable ' +
          // like any other runner's, its tests are the project's code
          '-A -P? --allow-all --allow-run? --allow-write? --allow-ffi? --permission-set? --no-run --hide-stacktraces --clean --no-lock --no-remote --cached-only',
        runs: '-c: --config= --preload= -r --reload? --import-map= --location= --cert= --inspect? --inspect-brk? --v8-flags?',
        writes: '--coverage? --junit-path=',
      },
    },
  },
  corepack: { ordered: true, launch: {} },
};
