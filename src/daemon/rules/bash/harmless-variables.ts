import { FOUND } from '../marks.ts';

/** Variables whose value can't make a program do something other than it is asked to. */
const HARMLESS = new Set(
  (
    'CI NODE_ENV FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES LANG LC_ALL LC_CTYPE LC_MESSAGES LC_COLLATE ' +
    'LC_TIME LC_NUMERIC RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR CARGO_INCREMENTAL PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE ' +
    'GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_PAGER_IN_USE GIT_LITERAL_PATHSPECS GIT_MERGE_AUTOEDIT DEBIAN_FRONTEND GOOS GOARCH ' +
    'CGO_ENABLED HUSKY TERM DJANGO_SETTINGS_MODULE MIX_ENV RAILS_ENV RACK_ENV FLASK_ENV FLASK_DEBUG DEBUG PYTHONHASHSEED PYTHONIOENCODING ' +
    'PYTHONUTF8 PYTHONFAULTHANDLER PYTHONTRACEMALLOC NODE_NO_WARNINGS NEXT_TELEMETRY_DISABLED DO_NOT_TRACK TF_IN_AUTOMATION ' +
    'TF_INPUT TF_LOG GOTRACEBACK GOMAXPROCS DOCKER_BUILDKIT BUILDKIT_PROGRESS COMPOSE_PROJECT_NAME COMPOSE_DOCKER_CLI_BUILD AWS_REGION ' +
    'AWS_PROFILE PGUSER PGDATABASE PGPORT PGPASSWORD MYSQL_PWD AWS_DEFAULT_REGION AWS_DEFAULT_OUTPUT AWS_PAGER STORYBOOK_DISABLE_TELEMETRY JEST_JUNIT_SUITE_NAME SOURCE_DATE_EPOCH UV_OFFLINE ' +
    'RUFF_NO_CACHE PIP_NO_INPUT PIP_DISABLE_PIP_VERSION_CHECK HOMEBREW_NO_AUTO_UPDATE ASTRO_TELEMETRY_DISABLED TURBO_TELEMETRY_DISABLED ' +
    'SPRING_PROFILES_ACTIVE ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT DOTNET_CLI_TELEMETRY_OPTOUT NX_DAEMON NX_VERBOSE_LOGGING ' +
    'GH_PROMPT_DISABLED PGCONNECT_TIMEOUT CYPRESS_VIDEO PWDEBUG PW_TEST_HTML_REPORT_OPEN'
  ).split(' '),
);

/** Variables that name a program, a folder or an address, or contain options, with the values that are harmless anyway. */
const HARMLESS_VALUES: Record<string, RegExp> = {
  PAGER: /^(cat)?$/,
  GIT_PAGER: /^(cat)?$/,
  MANPAGER: /^(cat)?$/,
  GH_PAGER: /^(cat)?$/,
  SYSTEMD_PAGER: /^(cat)?$/,
  PSQL_PAGER: /^(cat)?$/,
  LESS: /^-?[FRSXinqQ]*$/,
  EDITOR: /^(true|:)$/,
  GIT_EDITOR: /^(true|:)$/,
  GIT_SEQUENCE_EDITOR: /^(true|:)$/,
  NODE_OPTIONS:
    /^(?:(?:--max[-_]old[-_]space[-_]size=\d+|--no-warnings|--no-deprecation|--trace-warnings|--trace-deprecation|--enable-source-maps|--unhandled-rejections=\w+|--experimental-vm-modules|--stack-trace-limit=\d+)(?: |$))*$/,
  V: /^[01]?$/,
  Q: /^@?$/,
  // where only the system's owner puts anything
  JAVA_HOME: /^\/(?:usr\/lib\/jvm|usr\/local|opt|Library\/Java\/JavaVirtualMachines)(?:\/[\w-][\w.+-]*)*\/?$/,
  GOROOT: /^\/usr\/(?:lib|local)(?:\/[\w-][\w.+-]*)*\/?$/,
  TZ: /^[A-Za-z]+(?:\/[A-Za-z_+-]+)*(?:[+-]\d{1,2})?$/,
  CC: /^(?:gcc|clang|cc)(?:-\d+)?$/,
  CXX: /^(?:g\+\+|clang\+\+|c\+\+)(?:-\d+)?$/,
  PYTHON: /^python[\d.]*$/,
  // the project's own folders
  PYTHONPATH: /^(\.|(\.\/)?[\w-]+(\/[\w-]+)*)(:(\.|(\.\/)?[\w-]+(\/[\w-]+)*))*$/,
  PYTHONWARNINGS: /^(ignore|default|error|always|once)(::\w+)?$/,
  RUSTFLAGS: /^-D ?warnings$/,
  RUSTDOCFLAGS: /^-D ?warnings$/,
  GOFLAGS: /^-(count=\d+|v|race|mod=(mod|readonly|vendor))$/,
  GOTOOLCHAIN: /^(local|auto)$/,
  MAKEFLAGS: /^-?-?j? ?\d*$/,
  PGHOST: /^(localhost|127\.0\.0\.1)$/,
};

/**
 * Names that say nothing to the shell, the dynamic linker, an interpreter or a tool. A script's own variables are made of such words, and
 * so are the settings of applications.
 */
const PLAIN_WORDS = new Set(
  (
    'API APP APPLICATION ARG ARTIFACT ARTIFACTS AUTHOR BASE BEFORE AFTER BODY BRANCH BRANCHES BUCKET BUILD CASE CHANGED CHANGES CID CLIENT CLUSTER ' +
    'CODE COMMIT COMMITS CONTAINER CONTAINERS CONTENT COUNT COVERAGE CURRENT DATA DATABASE DATE DAY DAYS DB DEBUG DEFAULT DELAY DEST ' +
    'DIFF DIR DIRS DIRECTORY DIST DONE DRY DURATION ELAPSED END ENDPOINT ENV ENTRY ERR ERROR ERRORS EXIT EXPECTED ACTUAL FAIL FAILED FAILURES FAST FEATURE ' +
    'FILE FILES FIRST FLAG FOLDER FOUND FROM FULL GROUP HASH HEAD HEADER HOST HOURS ID IDS IDX IMAGE IMAGES INDEX INFO INPUT ISSUE ITEM ITEMS ' +
    'JOB JOBS JSON LABEL LAST LATEST LEFT LEVEL LIMIT LINE LINES LIST LOCAL LOG LOGS MAIN MATCH MATCHES MAX MERGE MESSAGE METHOD MIN MINUTES MODE ' +
    'MODEL MODELS MODIFIED MODULE MODULES MSG NAME NAMES NAMESPACE NEW NEXT NOW NS NUM NUMBER OFFSET OLD ORG ORIGIN OUT OUTPUT OWNER PACKAGE PACKAGES ' +
    'PAGE PAGES PASS PASSED PATCH PATTERN PAYLOAD PERCENT PID PKG PKGS POD PODS PORT PORTS PR PRS PREV PREVIOUS PROJECT PROJECTS QUERY ' +
    'RATE RC REF REFS RELEASE REMOTE REPLICAS REPO REPORT REPOS REPOSITORY REQ REQUEST RES RESP RESPONSE RESULT RESULTS RET RETRIES RETRY REV ' +
    'ROOT ROW ROWS RUN RUNS SAMPLE SCHEMA SECONDS SEED SERVER SERVICE SERVICES SHA SHORT SINCE SITE SIZE SKIP SLEEP SLOW SNAPSHOT SNAPSHOTS SOURCE SQL SRC ' +
    'STAGE STAGED STAGING START STATE STATUS STEP SUM SUMMARY SUITE TABLE TABLES TAG TAGS TARGET TARGETS TASK TEST TESTS TEXT TICKET TIME TIMEOUT ' +
    'TIMESTAMP TITLE TO TODAY TOTAL TS TYPE UNTIL UPDATE UPSTREAM URL USERS VAL VALUE VERBOSE VERSION VERSIONS WAIT WARN WARNINGS WEB ' +
    'WORKER WORKERS WORKFLOW WORKSPACE YEAR YESTERDAY FRONTEND BACKEND HEALTH CHECK E2E UNIT INTEGRATION FIXTURE FIXTURES ' +
    'VITE NEXT PUBLIC REACT CONCURRENCY HEADLESS HEADED SHARD DRY ONLY LOCALE REGION'
  ).split(' '),
);
/** Made of such words, and yet known to the shell or to programs. */
const TAKEN = new Set('ENV SECONDS LINES TARGET_ARCH CC LD AR AS NM FC PC PS RM CP MV LN'.split(' '));

/** `BASE_URL`, `LOG_LEVEL`, `PR_NUMBER_2` */
export function isPlainName(name: string): boolean {
  if (TAKEN.has(name) || !/^[A-Z][A-Z\d_]*$/.test(name)) return false;
  return (
    /^[A-Z]{1,2}\d?$/.test(name) || name.split('_').every((word) => PLAIN_WORDS.has(word.replace(/(?<=[A-Z])\d+$/, '')))
  );
}

/** `SKIP_SLOW`, `FOO_TIMEOUT`: a switch or an amount, whatever the other words mean. */
const SWITCH =
  /^(?:SKIP|ENABLE|DISABLE|RUN|UPDATE|USE|NO|WITH|TEST|IS|SHOW|VERBOSE|DRY|WAIT)_[A-Z\d_]+$|^[A-Z][A-Z\d_]*_(?:ENABLED|DISABLED|DEBUG|VERBOSE|TIMEOUT|LEVEL|RETRIES|SEED|COUNT|LIMIT|WORKERS|CONCURRENCY|PORT|MODE)$/;
/** Programs, checks and interpreters, for which a switch may well do more. */
const GUARDED =
  /^(?:LD|DYLD|BASH|ZSH|GIT|NPM|PIP|PYTHON|NODE|RUBY|PERL|JAVA|GO|GLIBC|MALLOC|PNPM|YARN|BUN|COREPACK|COMPOSER|SSH|SUDO|DOCKER|KUBE|AWS|MAKE|LESS|VIM)|SSL|TLS|VERIF|SECUR|SAFE|TRUST|REJECT|ALLOW|DANGER|BYPASS|CHECKSUM|SIGN|AUTH|SUDO|INSPECT|SHELL|PRELOAD|HOOK|PLUGIN|OPT|FLAG|ARGS|PROXY|PATH|CMD|COMMAND|EXEC|EVAL|SCRIPT|CONFIG|RC$|FILE|DIR|HOME|BROWSER|EDITOR|PAGER|PROD|DEPLOY/;
/** A number, a switch, or the name of a level: no program, file, option or address. */
const PLAIN_SWITCH =
  /^(?:\d{1,6}(?:\.\d+)?(?:ms|s|m)?|true|false|yes|no|on|off|debug|info|warn|warning|error|trace|silent|verbose)?$/i;
/** Of an application: no path, no option. */
const PLAIN_VALUE = /^[\w.@:+,][\w.@:+,-]*$|^$/;
/** Where it writes, and what it loads. */
const NAMES_FILE =
  /(?:^|_)(?:FILES?|DIRS?|DIRECTORY|FOLDER|OUT|OUTPUT|DEST|ROOT|DIST|REPORT|ARTIFACTS?|SCHEMA|MODULES?|ENTRY|SOURCE|SRC|PACKAGES?|LOGS?)$/;
const NAMES_ADDRESS = /(?:^|_)(?:URL|URI|DSN|HOST|ORIGIN|ENDPOINT)$/;
const LOCAL_ADDRESS =
  /^(?:(?:(?:postgres(?:ql)?|mysql|mariadb|rediss?|mongodb|amqp|nats|https?|wss?)(?:\+\w+)?:\/\/(?:[\w.-]+(?::[\w.-]*)?@)?)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::\d{1,5})?(?:\/[\w./-]*)?(?:\?[\w=&.-]*)?|sqlite(?:\+\w+)?:(?:\/\/)?(?:\/?:memory:)?)$/;
const SERVICE =
  /^(?:[A-Z]+_)*(?:DATABASE|DB|REDIS|MONGO|MONGODB|POSTGRES|PG|MYSQL|AMQP|RABBITMQ|NATS|QUEUE|CACHE|BROKER)_/;

/** Whether a program does no more than it is asked to, with this in its environment. */
export function isHarmlessAssignment({ name, value }: { name: string; value: string }): boolean {
  if (Object.hasOwn(HARMLESS_VALUES, name)) return HARMLESS_VALUES[name]!.test(value);
  if (HARMLESS.has(name)) return new RegExp(`^[\\w.@:+,*=${FOUND}-]*$`).test(value);
  if (SWITCH.test(name) && !GUARDED.test(name) && PLAIN_SWITCH.test(value)) return true;
  if (NAMES_ADDRESS.test(name)) return (isPlainName(name) || SERVICE.test(name)) && LOCAL_ADDRESS.test(value);
  return name.length > 2 && isPlainName(name) && !NAMES_FILE.test(name) && PLAIN_VALUE.test(value);
}
