import { DOES_WHAT_IT_SAYS, named, type Program } from './program.ts';

/** A configuration in the project, by its usual name, is the project's own. */
export const OWN_CONFIG =
  /^(\.\/)?([\w-][\w.-]*\/)*[\w-][\w.-]*\.config(\.[\w-]+)*\.([cm]?[jt]s|json)$|^(\.\/)?([\w-][\w.-]*\/)*\.[\w-]+rc(\.[\w-]+)*(\.([cm]?js|json|ya?ml))?$/;
/** The compiler loads no code that it names. */
export const OWN_TSCONFIG = /^(\.\/)?([\w-][\w.-]*\/)*(tsconfig[\w.-]*\.json|\.|[\w-]+\/?)$/;
const OPTIONAL_CONFIG = new RegExp(`^$|${OWN_CONFIG.source}`);
const CONFIG = { '-c': OWN_CONFIG, '--config': OWN_CONFIG };
/** A folder for results, by its usual name. */
const OWN_OUTPUT =
  /^(\.\/)?([\w-]+\/)*((dist|build|out)(-\w+)?|lib|es|esm|cjs|public|coverage|\.next|reports?|storybook-static)(\/[\w-][\w.-]*)*\/?$/;
const OUTPUT = Object.fromEntries(
  '-o -d --outdir --outDir --out-dir --outfile --output --output-path --output-dir --out --dist'
    .split(' ')
    .map((name) => [name, OWN_OUTPUT]),
);
/** The usual options of development servers. */
const SERVES = '-p: -H: --port= --host? --hostname= --open? --https --cors --strictPort --turbo --turbopack --silent';

/** Bundlers, frameworks and checkers that people run with `npx`. */
export const JS_TOOLS: Record<string, Program> = {
  knip: {
    plain:
      '-nhWw --production --strict --fix --no-exit-code --no-progress --include= --exclude= --dependencies --exports --files --reporter= --workspace= ' +
      '--max-issues= --include-entry-exports --include-libs --isolate-workspaces --cache --debug --no-gitignore --no-config-hints --tags= --watch',
    runs: '-c: -t: --config= --tsConfig= --preprocessor= --directory= --allow-remove-files',
    harmless: { ...CONFIG, '--reporter': /^[a-z]+$/ },
  },
  ...named('vue-tsc tsgo', {
    plain:
      '-bwhv --noEmit --build --watch --pretty? --strict --skipLibCheck --incremental --force --declaration --emitDeclarationOnly',
    writes: '-p: --project= --outDir= --declarationDir= --tsBuildInfoFile=',
    harmless: {
      '-p': OWN_TSCONFIG,
      '--project': OWN_TSCONFIG,
      ...OUTPUT,
    },
  }),
  'svelte-check': {
    plain:
      '--output= --watch --preserveWatchOutput --ignore= --fail-on-warnings --threshold= --compiler-warnings= --no-tsconfig',
    moves: '--workspace= --tsconfig=',
    harmless: { '--tsconfig': OWN_TSCONFIG },
  },
  oxlint: {
    plain:
      '-hA: -W: -D: -f: --fix --fix-suggestions --quiet --deny-warnings --max-warnings= --format= --ignore-pattern= --no-ignore --silent --threads= --rules --type-aware --disable-nested-config',
    runs: '-c: --config= --tsconfig=',
    harmless: CONFIG,
  },
  stylelint: {
    plain:
      '-fhiqs --fix? --quiet --cache --allow-empty-input --max-warnings= --formatter= --ignore-pattern= --report-needless-disables --color --no-color',
    runs: '-c: --config= --config-basedir= --custom-syntax= --custom-formatter= --plugin=',
    writes: '-o: --output-file= --cache-location=',
    harmless: { ...CONFIG, '--formatter': /^[a-z]+$/ },
  },
  madge: {
    plain:
      '-hbcxsljd --circular --orphans --leaves --json --summary --exclude= --extensions= --warning --debug --no-spinner --no-color --include-npm --depends=',
    runs: '--config= --require-config= --webpack-config= --ts-config=',
    writes: '-i: --image= --dot --svg',
    harmless: { '--ts-config': OWN_TSCONFIG },
  },
  depcheck: {
    plain: '--json --ignores= --ignore-patterns= --skip-missing? --oneline --ignore-bin-package?',
    runs: '--config= --parsers= --detectors= --specials=',
  },
  cspell: {
    plain:
      '-cqeu --no-progress --no-summary --words-only --unique --gitignore --dot --exclude= --locale= --language-id= --show-suggestions --color --no-color --quiet --files',
    runs: '--config= --reporter=',
    subcommands: named('lint trace check suggestions', {}),
    otherwise: {},
    shared: true,
  },
  ...named('markdownlint markdownlint-cli2', {
    plain: '-fqsij --fix --ignore= --json --dot --disable= --enable= --quiet --no-globs',
    runs: '-c: -r: --config= --rules= --format',
    writes: '-o: --output=',
    harmless: CONFIG,
  }),
  tsup: {
    plain:
      '-h --format= --dts --dts-only --minify --clean --watch? --sourcemap --splitting --no-splitting --target= --platform= --external= --silent --treeshake --shims --env.*',
    runs: '-c: --config= --onSuccess= --inject= --loader= --tsconfig= --no-config',
    writes: '-d: --out-dir=',
    harmless: { ...CONFIG, ...OUTPUT },
  },
  esbuild: {
    plain:
      '--bundle --minify --watch --sourcemap? --format= --platform= --target= --external.* --loader.* --splitting --metafile --define.* --log-level= --tree-shaking= --analyze? --jsx= --charset= --keep-names --packages=',
    style: 'words',
    runs: '--inject.* --servedir= --serve? --tsconfig= --alias.* --banner.* --footer.*',
    writes: '--outfile= --outdir= --outbase= --allow-overwrite --metafile=',
    harmless: { '--outfile': OWN_OUTPUT, '--outdir': OWN_OUTPUT },
  },
  vite: {
    plain: `-hl: -m: -d? -f: ${SERVES} --mode= --logLevel= --clearScreen --no-clearScreen --debug? --filter= --minify? --sourcemap? --emptyOutDir --watch --ssrManifest? --manifest? --force --target= --assetsDir=`,
    runs: '-c: --config= --configLoader= --ssr? --app',
    writes: '--outDir= --profile',
    moves: '--base=',
    harmless: { ...CONFIG, ...OUTPUT, '--base': /^[\w./-]*$/ },
    subcommands: named('build dev serve preview optimize', {}),
    otherwise: {},
    shared: true,
  },
  ...named('next nuxt nuxi astro remix react-router svelte-kit gatsby', {
    plain: `-hv ${SERVES} --debug --no-lint --profile --verbose --experimental-build-mode= --fix --quiet --strict --max-warnings= --watch --minimumFailingSeverity= --prerender`,
    moves: '--dir=',
    nests: true,
    runs: '--config= --experimental-https-key= --experimental-https-cert= --inspect?',
    writes: '--outDir= --output-file=',
    harmless: { ...CONFIG, ...OUTPUT },
    subcommands: named('build dev start lint info telemetry check sync preview generate prepare typecheck typegen', {}),
    otherwise: {},
    shared: true,
  }),
  prisma: {
    plain:
      '-h --name= -n: --create-only --skip-generate --skip-seed --force --accept-data-loss --watch --no-hints --no-engine --print --json --check --preview-feature',
    runs: '--schema= --config= --url= --shadow-database-url= --script --from-url= --to-url=',
    writes: '-o: --output=',
    harmless: { '--schema': /^(\.\/)?([\w-]+\/)*[\w-]+\.prisma$/ },
    subcommands: {
      ...named('generate validate format version introspect', {}),
      migrate: { shared: true, subcommands: named('dev deploy status diff resolve', {}), otherwise: { spelled: true } },
      db: { shared: true, subcommands: named('pull push seed', {}), otherwise: { spelled: true } },
    },
    otherwise: {},
    shared: true,
  },
  'drizzle-kit': {
    plain: '--name= --dialect= --schema= --verbose --strict --force --custom',
    runs: '--config= --url=',
    writes: '--out=',
    harmless: { ...CONFIG, '--schema': /^(\.\/)?([\w-]+\/)*[\w.-]+\.ts$/ },
    otherwise: {},
    shared: true,
  },
  ...named('nx lerna', {
    plain:
      '-hp: -t: --target= --targets= --projects= --all --parallel? --skip-nx-cache --skipNxCache --verbose --base= --head= --files= --exclude= --configuration= --prod --output-style= --outputStyle= --nxBail --json --plain --scope= --ignore= --stream --no-private --since? --concurrency= --long --no-bail --affected --uncommitted',
    runs: '--runner= --with-deps',
    writes: '--graph?',
    subcommands: {
      ...named('run run-many affected show list ls changed diff info report format lint test build', {}),
      exec: {
        ordered: true,
        plain: '--scope= --stream --parallel --no-bail --since? --ignore= --concurrency=',
        launch: { afterDashes: true },
      },
    },
    otherwise: {},
    shared: true,
  }),
  cypress: {
    plain:
      '-hb: -s: -q -k: --browser= --headless --headed --spec= --quiet --e2e --component --env= --record --key= --parallel --tag= --no-exit',
    runs: '-C: -r: --config-file= --config= --reporter= --reporter-options= -P: --project=',
    harmless: { '--config-file': OWN_CONFIG, '-C': OWN_CONFIG, '--reporter': /^[a-z]+$/ },
    subcommands: named('run open verify info version cache', {}),
    otherwise: {},
    shared: true,
  },
  ava: {
    plain:
      '-cmstuvwT: --match= --serial --tap --timeout= --update-snapshots --verbose --watch --color --fail-fast --concurrency=',
    runs: '--config= --node-arguments=',
    harmless: { '--config': OWN_CONFIG },
  },
  ...named('c8 nyc', {
    ordered: true,
    plain:
      '-hr: -x: -n: --reporter= --exclude= --include= --all --check-coverage --lines= --branches= --functions= --statements= --skip-full --clean --no-clean --silent --extension=',
    runs: '-c: --config= --require= --nycrc-path= --hook-require',
    writes: '-o: --reports-dir= --report-dir= --temp-directory= --temp-dir= -t:',
    moves: '--cwd= --src=',
    harmless: { ...CONFIG, ...OUTPUT, '--reporter': /^[\w-]+$/, '-r': /^[\w-]+$/ },
    launch: {},
  }),
  ...named('rimraf del-cli mkdirp', DOES_WHAT_IT_SAYS),
  ...named('ncu npm-check-updates', {
    plain:
      '-uhgmsewt: -f: -x: --upgrade --filter= --reject= --target= --deep --workspaces --root --peer --dep= --errorLevel= --jsonUpgraded --jsonAll --minimal --format= --silent --interactive --cooldown=',
    runs: '--configFileName= --configFilePath= --packageManager= --registry= --doctorTest= --doctorInstall= --doctor -d',
    moves: '--cwd= --packageFile=',
  }),
  ...named('size-limit publint attw arethetypeswrong are-the-types-wrong ts-prune dpdm syncpack', {
    plain:
      '-hf: --json --strict --silent --limit= --pack? --profile= --format= --ignore-rules= --no-emoji --quiet --circular --transform --tree --warning --exit-code= --exclude= --no-warning --no-tree',
    otherwise: {},
    shared: true,
  }),
  typedoc: {
    plain:
      '--entryPoints= --entryPointStrategy= --excludePrivate --excludeInternal --emit= --logLevel= --treatWarningsAsErrors --readme=',
    runs: '--options= --plugin= --theme= --tsconfig=',
    writes: '--out= --json=',
  },
  ...named('tailwindcss sass', {
    plain:
      '-hi: -m -w -w? --input= --minify --watch? --content= --no-source-map --style= --load-path= --update --quiet --poll --optimize --map?',
    runs: '-c: --config= --postcss? --pkg-importer=',
    writes: '-o: --output=',
    harmless: {
      ...CONFIG,
      '-o': /^(\.\/)?([\w-][\w.-]*\/)*[\w-]+\.css$/,
      '--output': /^(\.\/)?([\w-][\w.-]*\/)*[\w-]+\.css$/,
    },
  }),
  rollup: {
    plain:
      '-hpwm -f: -e: -g: -n: --format= --watch --sourcemap? --silent --external= --name= --environment= --treeshake? --failAfterWarnings',
    runs: '-c: --config= --plugin= --configPlugin= --configImportAttributesKey= -p:',
    writes: '-o: -d: --file= --dir=',
    harmless: { ...OUTPUT, '-c': OPTIONAL_CONFIG, '--config': OPTIONAL_CONFIG },
  },
  ...named('webpack parcel', {
    plain:
      '-hpw -m: -f: --mode= --watch --watch? --progress --env= --devtool= --stats? --json --format= --sourcemap? --silent --no-cache --no-source-maps --no-optimize --target= --analyze --profile --node-env= --fail-on-warnings',
    runs: '-c? --config? --config-name= --plugin= --merge --extends= --configPlugin= --configImportAttributesKey=',
    writes: '-o: -d: --output-path= --file= --dir= --dist-dir= --output=',
    harmless: { '-c': OWN_CONFIG, '--config': OWN_CONFIG, ...OUTPUT },
    subcommands: named('build serve watch info version', {}),
    otherwise: {},
    shared: true,
  }),
  wrangler: {
    plain:
      '-he: --env= --local --remote --port= --ip= --dry-run --minify --json --name= --format= --status= --command= --log-level= --test-scheduled --live-reload --x-versions',
    runs: '-c: --config= --cwd= --file= --script=',
    writes: '--outdir= --persist-to=',
    harmless: {
      '-c': /^(\.\/)?wrangler(\.[\w-]+)*\.(toml|jsonc?)$/,
      '--config': /^(\.\/)?wrangler(\.[\w-]+)*\.(toml|jsonc?)$/,
    },
    subcommands: {
      ...named('dev deploy tail types whoami versions deployments check', {}),
      ...named('secret kv:key r2 d1 delete login', { spelled: true }),
    },
    otherwise: {},
    shared: true,
  },
  changeset: {
    plain: '--empty --open --since= --verbose --snapshot? --tag=',
    writes: '-o: --output=',
    otherwise: {},
    shared: true,
  },
  'lint-staged': {
    plain:
      '-qvd --quiet --verbose --debug --allow-empty --no-stash --concurrent= --relative --diff= --diff-filter= --fail-on-changes',
    runs: '-c: -s: --config= --shell? --cwd=',
    harmless: CONFIG,
  },
  commitlint: {
    plain: '-f: -t: -elqV --from= --to= --edit? --last --verbose --quiet --strict --help-url=',
    runs: '-g: -p: -x: -o: --config= --parser-preset= --extends= --format= --cwd= --env=',
    harmless: { '-g': OWN_CONFIG, '--config': OWN_CONFIG },
  },
  ...named('serve http-server', {
    plain: '-chsdna: -p: -l: -a: --port= --listen= --single --cors? --no-clipboard --silent -o? -P: --gzip',
    runs: '--config= --ssl-cert= --ssl-key=',
  }),
  storybook: {
    plain: `-hq ${SERVES} --ci --quiet --no-open --smoke-test --debug-webpack --docs --test --stats-json?`,
    runs: '-c: --config-dir= --exact-port',
    writes: '-o: --output-dir=',
    harmless: { ...OUTPUT, '-c': /^\.storybook$/ },
    otherwise: {},
    shared: true,
  },
  nodemon: {
    ordered: true,
    plain: '-VCLqw: -e: -i: --watch= --ext= --ignore= --verbose --quiet --legacy-watch --delay= --signal= --exitcrash',
    runs: '-x: --exec= --config= -r: --require= --cwd=',
    launch: { script: 'file' },
  },
  'graphql-codegen': {
    plain: '-wvseh --watch? --verbose --silent --errors-only --check',
    runs: '-c: -r: -p: --config= --require= --project=',
    harmless: {
      '--config': /^(\.\/)?codegen(\.[\w-]+)*\.(ts|ya?ml|json)$/,
      '-c': /^(\.\/)?codegen(\.[\w-]+)*\.(ts|ya?ml|json)$/,
    },
  },
};
