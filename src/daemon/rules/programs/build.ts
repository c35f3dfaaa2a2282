import { isPlainName } from '../bash/harmless-variables.ts';
import { type Judge, riskyOperands } from './judge.ts';
import { SCRIPT_ARGUMENTS } from './node.ts';
import { named, type Program, READS } from './program.ts';
import { readArguments } from './read-arguments.ts';

const CARGO_BUILD =
  '-qvrhj: -p: -F: --quiet --verbose --release --workspace --all --all-targets --all-features --no-default-features --features= --package= --exclude= --lib --bin= --bins ' +
  '--example= --examples --test= --tests --bench= --benches --doc --no-run --no-fail-fast --jobs= --keep-going --profile= --target= --locked --frozen --offline --color= ' +
  '--message-format= --ignore-rust-version --no-deps --open --check --edition= --depth= --edges= --invert= --duplicates --prefix= --format= --precise= --aggressive --format-version= --fix --allow-dirty --allow-staged --future-incompat-report';
/** `-C linker=…` is one of rustc's. */
const NO_LINT = /^-(?![DWAF]$|[DWAF][\w:-]+$)/;
const NO_TEST_OPTION =
  /^-(?!q$|-(nocapture|show-output|ignored|include-ignored|exact|list|quiet|test|bench|report-time|test-threads(=\d+)?|skip(=.*)?|format(=\w+)?|color(=\w+)?|sample-size(=\d+)?|warm-up-time(=\d+)?|measurement-time(=\d+)?|noplot)$)/;

const CARGO: Program = {
  plain: '-qvh --quiet --verbose --color= --locked --frozen --offline --list --explain=',
  runs: '--config= -Z:',
  writes: '--target-dir= --artifact-dir= --out-dir=',
  moves: '-C: --manifest-path=',
  enters: true,
  plus: true,
  shared: true,
  subcommands: {
    ...named(
      'build b check c doc d fetch update metadata pkgid fix search info add remove rm clean generate-lockfile',
      {
        plain: CARGO_BUILD,
        judge: riskyOperands(/^-/, 'runs'),
      },
    ),
    tree: { plain: `${CARGO_BUILD} -i: -e: -d`, judge: riskyOperands(/^-/, 'runs') },
    clippy: { plain: CARGO_BUILD, judge: riskyOperands(NO_LINT, 'runs') },
    fmt: { plain: CARGO_BUILD, judge: riskyOperands(/^-(?!-(check|edition(=\d+)?|verbose|quiet)$|[vql]$)/, 'runs') },
    ...named('test t bench', { plain: CARGO_BUILD, judge: riskyOperands(NO_TEST_OPTION, 'writes') }),
    nextest: {
      subcommands: named('run r list', {
        plain:
          `${CARGO_BUILD} -E: -T: --filterset= --filter-expr= --retries= --no-capture --nocapture --status-level= --final-status-level= --failure-output= --success-output= ` +
          '--partition= --run-ignored= --test-threads= --no-tests= --hide-progress-bar --show-progress= --cargo-profile= --cargo-quiet --fail-fast --max-fail= --message-format-version= --ignore-default-filter --list-type= --rerun=',
        runs: '--config-file= --tool-config-file= --archive-file= --cargo-metadata= --binaries-metadata= --user-config-file= --debugger= --tracer=',
        writes: '--extract-to= --workspace-remap= --target-dir-remap= --build-dir-remap=',
        judge: riskyOperands(NO_TEST_OPTION, 'writes'),
      }),
      otherwise: {},
    },
    ...named('run r', { plain: CARGO_BUILD, launch: { afterDashes: true, script: 'file' } }),
    ...named('expand audit outdated machete udeps hack llvm-cov bloat semver-checks msrv', {
      plain: `${CARGO_BUILD} --deny= --ignore= --html --lcov --summary-only --text --json --root-deps-only`,
      writes: '--output-path= --output-dir=',
    }),
    install: {
      plain: CARGO_BUILD,
      moves: '--path=',
      enters: true,
      runs: '--git= --registry= --index=',
      writes: '--root=',
    },
    ...named('uninstall publish login owner yank new init', {}),
    rustc: { spelled: true },
  },
};

const GO: Program = {
  style: 'go',
  plain:
    '-v -x -n -a -race -msan -asan -cover -json? -short -failfast -list= -run= -skip= -bench= -benchmem -benchtime= -count= -cpu= -parallel= -p= -timeout= -vet= -tags= -mod= ' +
    '-trimpath -work -shuffle= -fullpath -covermode= -coverpkg= -buildvcs= -m -u -t -d -f= -e -test -compiled -deps -find -versions -retracted -i -c -go= -compat= -modcacherw -test.v -test.run=',
  runs: '-exec= -toolexec= -modfile= -overlay= -vettool= -ldflags= -gcflags= -asmflags= -gccgoflags= -compiler= -pkgdir= -linkshared -installsuffix=',
  writes: '-o= -outputdir= -coverprofile= -cpuprofile= -memprofile= -blockprofile= -mutexprofile= -trace=',
  moves: '-C=',
  enters: true,
  harmless: {
    '-o': /^(\.\/)?(bin|dist|build|out)(\/[\w-][\w.-]*)*\/?$/,
    '-coverprofile': /^(\.\/)?c(over(age)?)?\.(out|txt)$/,
    '-ldflags': /^(-[sw]|-X [\w./-]+=[\w.-]*|\s)+$/,
    '-vet': /^(off|all|[a-z,]+)$/,
  },
};

const OWN_MAKEFILE = /^(\.\/)?([\w-][\w.-]*\/)*(GNU)?[Mm]akefile([.-][\w.-]+)?$/;

/** A variable can be the shell itself, and a recipe may put a target or a value into a command. */
const MADE: Judge = ({ words, operands }) =>
  operands.filter((at) => !isPlainTarget(words[at]!)).map((at) => ({ at, effect: 'runs' }));

const RECIPE_ARGUMENTS =
  /^((GO_?)?TEST|PYTEST|JEST|VITEST|RUN|EXTRA|CARGO|PYTEST_EXTRA|UNIT|E2E)?_?(ARGS|OPTS|OPTIONS|FLAGS)$/;

function isPlainTarget(word: string): boolean {
  const [, name, value = ''] = /^(\w+)[:?]?=(.*)$/s.exec(word) ?? [];
  if (name === undefined) return /^[\w@%+:,./-]*$/.test(word);
  if (/^(V|Q|CI|NO_COLOR|DEBUG)$/.test(name)) return /^\w*$/.test(value);
  if (RECIPE_ARGUMENTS.test(name)) return arePlainArguments(value);
  if (/^(PYTHON|NODE|CC|CXX|DOCKER|GO|CARGO|PIP)$/.test(name))
    return /^(python[\d.]*|node|gcc|clang|cc|g\+\+|clang\+\+|docker|podman|go|cargo|pip3?)(-\d+)?$/.test(value);
  // a file of the project
  return isPlainName(name) && /^[\w@%+:,./-]*$/.test(value) && !/^[-/]|\.\./.test(value);
}

/** `ARGS="-k auth -x"`, `TESTFLAGS="-run Foo -v"`: the recipe passes them to a tool. Go's have one dash and a whole name. */
function arePlainArguments(value: string): boolean {
  const words = value.split(' ').filter((word) => word !== '');
  if (!words.every((word) => /^[\w@%+:,.=/-]+$/.test(word) && !/^\/|\.\./.test(word))) return false;
  return words.every((word) => {
    if (!word.startsWith('-')) return true;
    const tool = /^-\w{4,}|^-\w+=|^-(run|cpu|tag|vet)$/.test(word) ? GO : SCRIPT_ARGUMENTS;
    const { options, unsure } = readArguments([word], 0, { chain: [tool], manner: tool, ordered: false });
    const isPlain = options.every(({ option }) => (option ? option.effect === 'plain' : tool === SCRIPT_ARGUMENTS));
    return isPlain && unsure.length === 0;
  });
}

export const BUILD: Record<string, Program> = {
  ...named('make gmake', {
    language: 'judged',
    besides: /^\d+$|=/,
    plain:
      '-BbdhikmnpqrRsSvw -j? -l? -O? -o: -W: --always-make --debug? --ignore-errors --jobs? --keep-going --load-average? --just-print --dry-run --recon --old-file= ' +
      '--output-sync? --print-data-base --question --no-builtin-rules --no-builtin-variables --shuffle? --silent --quiet --no-silent --no-keep-going --trace --print-directory ' +
      '--no-print-directory --what-if= --warn-undefined-variables',
    harmless: { '-f': OWN_MAKEFILE, '--file': OWN_MAKEFILE, '--makefile': OWN_MAKEFILE },
    runs: '-f: -I: -E: -e --file= --makefile= --include-dir= --eval= --environment-overrides',
    writes: '-t --touch',
    moves: '-C: --directory=',
    enters: true,
    judge: MADE,
  }),
  cargo: CARGO,
  rustup: {
    subcommands: { run: { ordered: true, launch: { skip: 1 } }, ...named('show toolchain component target', {}) },
  },
  rustfmt: { plain: '-v -q --check --edition= --emit= -l', runs: '--config-path= --config=' },
  go: {
    ...GO,
    shared: true,
    subcommands: {
      ...named('build test vet list mod fmt version get generate clean fix bug telemetry', {}),
      doc: { plain: '-all -c -cmd -short -src -u', runs: '-http' },
      env: { writes: '-w -u' },
      run: { ordered: true, launch: { script: 'file' } },
      install: {},
      tool: {
        subcommands: {
          cover: { plain: '-func= -mode=', writes: '-o=', runs: '-html= -pkgcfg=' },
          pprof: {
            plain: '-top -text -list= -cum -flat -nodecount= -focus= -ignore= -unit= -sample_index= -raw',
            runs: '-http= -web -tools=',
            writes: '-output= -png -svg -pdf',
          },
        },
        otherwise: { spelled: true, launch: { self: true } },
      },
      work: {},
    },
  },
  gofmt: { style: 'go', plain: '-l -d -s -e -w', runs: '-r=', writes: '-cpuprofile=' },
  'golangci-lint': {
    plain:
      '-v -j: -p: -e: -E: -D: --fix --timeout= --fast --fast-only --new --new-from-rev= --new-from-merge-base= --enable= --disable= --disable-all --enable-all --enable-only= --default= ' +
      '--out-format= --max-issues-per-linter= --max-same-issues= --tests? --build-tags= --concurrency= --issues-exit-code= --modules-download-mode= --allow-parallel-runners ' +
      '--allow-serial-runners --whole-files --show-stats? --sort-results --print-issued-lines? --print-linter-name? --color= --uniq-by-line? --path-mode= --presets= --exclude= --exclude-use-default?',
    runs: '-c: --config= --no-config --path-prefix=',
    writes:
      '--cpu-profile-path= --mem-profile-path= --trace-path= --output.text.path= --output.json.path= --output.html.path= --output.sarif.path= --output.junit-xml.path=',
    shared: true,
    otherwise: {},
  },
  ...named('gradle gradlew', {
    plain:
      '-qidwS -x: --info --debug --quiet --warn --stacktrace --full-stacktrace --tests= --rerun-tasks --no-daemon --daemon --offline --parallel --no-parallel --continue --dry-run --scan --no-scan ' +
      '--build-cache --no-build-cache --console= --configuration= --exclude-task= --refresh-dependencies --max-workers= --warning-mode= --rerun --no-configuration-cache --configuration-cache',
    runs: '-I: -b: -c: -D: -P: --init-script= --build-file= --settings-file= --system-prop= --project-prop= --include-build=',
    writes: '-g: --gradle-user-home= --project-cache-dir= --write-locks',
    moves: '-p: --project-dir=',
    enters: true,
  }),
  ...named('mvn mvnw', {
    style: 'words',
    plain:
      '-q -X -e -B -o -U -V -T= -pl= -am -amd -fae -ff -fn -ntp -N -rf= --quiet --debug --errors --batch-mode --offline --update-snapshots --threads= --projects= --also-make ' +
      '--no-transfer-progress --fail-at-end --non-recursive -DskipTests? -DskipITs? -Dskip? -Dmaven.test.skip? -Dtest? -Dit.test? -Dincludes? -Dexcludes? -DfailIfNoTests? -Dsurefire.failIfNoSpecifiedTests? -Dverbose? -Dstyle.color? -Dcheckstyle.skip? -Dspotbugs.skip? -Djacoco.skip? -Dgroups? -DexcludedGroups?',
    runs: '-f= -s= -gs= -P= --file= --settings= --global-settings= --activate-profiles= -D* -t= --toolchains=',
    writes: '-l= --log-file=',
  }),
  cmake: {
    plain:
      '-S: -B: -G: --preset= --list-presets? --build= -j? --parallel? --target= --config= --verbose --fresh --clean-first -LAH',
    runs: '-C: -P: -D: -E: -T: -A: --toolchain= --open --install=',
    harmless: {
      '-D': /^(CMAKE_(BUILD_TYPE|EXPORT_COMPILE_COMMANDS|VERBOSE_MAKEFILE|CXX_STANDARD|C_STANDARD)|(BUILD|ENABLE|WITH|USE)_\w+|\w*(TESTS?|TESTING|ASAN|SANITIZERS?))(:\w+)?=[\w.-]*$/,
    },
    writes: '--graphviz= --trace-redirect= --debugger-dap-log=',
  },
  ctest: {
    plain: '-VNQ -R: -E: -L: -j? --output-on-failure --verbose --rerun-failed --timeout= --test-dir= --parallel?',
    runs: '-S: -D: -M: -T: --build-and-test --script=',
    writes: '-O: --output-log= --output-junit=',
  },
  ninja: { plain: '-vnk: -j: -l: -d: --verbose --quiet', runs: '-f: -t:', moves: '-C:', enters: true },
  just: {
    ordered: true,
    plain: '-nqvl --list --dry-run --quiet --verbose --summary --show= --evaluate --yes',
    runs: '-c: -f: --command= --justfile= --shell= --shell-arg= --set= --dotenv-path= --dotenv-filename=',
    moves: '-d: --working-directory=',
    enters: true,
  },
  task: {
    plain: '-lavsfynp --list --list-all --verbose --silent --force --dry --summary --parallel --watch',
    runs: '-t: --taskfile=',
    moves: '-d: --dir=',
    enters: true,
  },
  ...named('gcc g++ cc clang clang++', {
    style: 'words',
    plain: '-c -S -E -g -O -O0 -O1 -O2 -O3 -Os -Wall -Wextra -Werror -pedantic -fsyntax-only -v -pthread -fPIC -M -MM',
    writes: '-o=',
  }),
  dotnet: {
    subcommands: {
      ...named('build test run restore format clean list publish pack --info --version', {
        plain:
          '-c: -v: -f: -r: --configuration= --verbosity= --framework= --runtime= --no-build --no-restore --nologo --filter= --list-tests --verify-no-changes',
        moves: '--project=',
        nests: true,
        harmless: { '--logger': /^console(;\w+=\w+)*$/, '-l': /^console(;\w+=\w+)*$/ },
        runs: '-p: -l: --property= -s: --settings= --source= --logger= --collect= --blame?',
        writes: '-o: --output= --results-directory= --diag= --artifacts-path=',
      }),
    },
  },
  ...named('bundle bundler', {
    subcommands: {
      exec: { ordered: true, launch: {} },
      ...named('install check list outdated show info update', {
        plain: '--jobs= --retry= --local --quiet --deployment --without=',
      }),
      config: { spelled: true },
    },
  }),
  ...named('rspec', {
    plain:
      '-pcb -f: -e: -t: --format= --color --no-color --fail-fast? --example= --tag= --seed= --order= --profile? --only-failures --next-failure --dry-run',
    runs: '-r: -I: -O: --require= --options= --default-path=',
    writes: '-o: --out=',
  }),
  ...named('rubocop', {
    plain:
      '-aAlxfD --autocorrect --autocorrect-all --parallel --format= --only= --except= --lint --display-cop-names --fail-level=',
    runs: '-c: -r: --config= --require= --plugin=',
    writes: '-o: --out= --auto-gen-config --cache-root=',
  }),
  mix: { ordered: true, plain: '--only=', runs: '--require= -r:' },
  swift: {
    subcommands: {
      ...named('build test run package', {
        style: 'words',
        plain: '-c= -v --configuration= --filter= --parallel --verbose --product= --target= --skip-build',
        runs: '-Xcc= -Xlinker= -Xswiftc= -Xcxx= --toolchain=',
        writes: '--build-path= --scratch-path= --cache-path=',
        moves: '--package-path=',
      }),
    },
  },
  tokei: READS,
  composer: {
    plain:
      '-nqvoaDltfimWwNHPAs: --no-interaction --quiet --verbose --ansi --no-ansi --profile --no-plugins --no-scripts --no-cache --prefer-dist --prefer-source --prefer-install= --no-dev --dev --no-progress ' +
      '--optimize-autoloader --classmap-authoritative --ignore-platform-reqs --ignore-platform-req= --dry-run --with-all-dependencies --with-dependencies --latest --direct --outdated --all --tree ' +
      '--format= --minor-only --major-only --patch-only --strict --installed --platform --available --locked --no-check-all --no-check-lock --no-check-publish --self --name-only --path --no-update --no-install --lock --sort-packages --prefer-stable --prefer-lowest --abandoned=',
    moves: '-d: --working-dir=',
    nests: true,
    shared: true,
    subcommands: {
      ...named('config global self-update selfupdate init create-project archive', { spelled: true }),
      exec: { ordered: true, launch: {} },
      ...named('run run-script', { launch: { script: 'script' } }),
    },
    otherwise: {},
  },
  xcodebuild: {
    style: 'words',
    plain:
      '-scheme= -destination= -workspace= -project= -configuration= -sdk= -target= -quiet -verbose -list -json -showBuildSettings -showsdks -showdestinations -version -parallel-testing-enabled= -only-testing= -skip-testing= -enableCodeCoverage= -jobs= -arch= -dry-run -hideShellScriptEnvironment -test-timeouts-enabled=',
    writes: '-derivedDataPath= -resultBundlePath= -archivePath= -exportPath= -clonedSourcePackagesDirPath=',
    runs: '-xcconfig= -toolchain= -exportOptionsPlist= -xctestrun=',
    judge: riskyOperands(/=/, 'runs'),
  },
};
