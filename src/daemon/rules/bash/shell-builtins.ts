/** Builtins of bash or zsh that change how later words are read, or run text: nothing after them is certain. */
const STATEFUL = new Set(
  (
    '. source eval trap alias unalias hash enable shopt set unset export declare typeset local readonly read mapfile ' +
    'readarray let getopts bind complete compgen compopt exec coproc fc history jobs wait suspend logout ' +
    'setopt unsetopt autoload zmodload emulate functions noglob nocorrect vared integer float private zstyle zle sched ' +
    'disable rehash zcompile zparseopts zformat bindkey print unhash unfunction repeat chdir'
  ).split(' '),
);

export function isStateful(name: string): boolean {
  return STATEFUL.has(name);
}

/** Variables whose value can't make a program do something other than it is asked to. */
const HARMLESS = new Set(
  (
    'CI NODE_ENV FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES LANG LC_ALL LC_CTYPE LC_MESSAGES LC_COLLATE ' +
    'LC_TIME LC_NUMERIC TZ RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE ' +
    'GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS DEBIAN_FRONTEND GOOS GOARCH CGO_ENABLED PORT LOG_LEVEL HUSKY TERM ' +
    'DJANGO_SETTINGS_MODULE MIX_ENV RAILS_ENV RACK_ENV APP_ENV FLASK_ENV FLASK_DEBUG DEBUG VERBOSE PYTHONHASHSEED PYTHONIOENCODING ' +
    'NODE_NO_WARNINGS NEXT_TELEMETRY_DISABLED DO_NOT_TRACK TF_IN_AUTOMATION TF_INPUT GOTRACEBACK DOCKER_BUILDKIT BUILDKIT_PROGRESS ' +
    'COMPOSE_PROJECT_NAME AWS_REGION AWS_DEFAULT_REGION AWS_PAGER SKIP_TESTS TEST_ENV VITE_MODE STORYBOOK_DISABLE_TELEMETRY JEST_JUNIT_SUITE_NAME'
  ).split(' '),
);
/** Variables that name a program or contain options, with the values that are harmless anyway. */
const HARMLESS_VALUES: Record<string, RegExp> = {
  PAGER: /^(cat)?$/,
  GIT_PAGER: /^(cat)?$/,
  MANPAGER: /^(cat)?$/,
  EDITOR: /^(true|:)$/,
  GIT_EDITOR: /^(true|:)$/,
  GIT_SEQUENCE_EDITOR: /^(true|:)$/,
  NODE_OPTIONS: /^--max[-_]old[-_]space[-_]size=\d+$/,
  // the project's own folders
  PYTHONPATH: /^(\.|(\.\/)?[\w-]+(\/[\w-]+)*)(:(\.|(\.\/)?[\w-]+(\/[\w-]+)*))*$/,
  RUSTFLAGS: /^-D ?warnings$/,
};

export function isHarmlessAssignment({ name, value }: { name: string; value: string }): boolean {
  if (Object.hasOwn(HARMLESS_VALUES, name)) return HARMLESS_VALUES[name]!.test(value);
  return HARMLESS.has(name) && /^[\w.@:+,-]*$/.test(value);
}
