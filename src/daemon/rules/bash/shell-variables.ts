import { isPlainName } from './harmless-variables.ts';

/** Lowercase names that mean something to a shell or to programs. */
const TAKEN = new Set(
  (
    '_ path cdpath fpath manpath mailpath fignore module_path psvar watch prompt argv status pipestatus options aliases functions ' +
    'commands builtins parameters modules history histchars keymap widgets signals nameddirs userdirs jobdirs jobstates jobtexts ' +
    'terminfo termcap errnos sysparams mapfile region_highlight dirstack reswords patchars saliases galiases ' +
    'http_proxy https_proxy ftp_proxy all_proxy no_proxy rsync_proxy'
  ).split(' '),
);
/** Their values aren't secret. */
const PUBLIC = new Set(
  'HOME PWD OLDPWD PATH TERM EDITOR CI NODE_ENV VIRTUAL_ENV TMPDIR USER LOGNAME SHELL LANG HOSTNAME RANDOM SECONDS PIPESTATUS'.split(
    ' ',
  ),
);

/** A variable that a script uses for itself: setting it changes no program that runs afterwards. */
export function isOwnVariable(name: string): boolean {
  if (/^[a-z_][a-z0-9_]*$/.test(name)) return !TAKEN.has(name) && !/^(npm|zsh|bash|git)_/.test(name);
  return isPlainName(name);
}

export function isPublicVariable(name: string): boolean {
  return PUBLIC.has(name) || /^[\d?#$!-]$/.test(name);
}

/** `$DATABASE_URL`, set by the operator and nowhere in this text: an address, so neither an option nor several words. */
export function isForeignAddress(text: string, name: string): boolean {
  if (!/^[A-Z][A-Z0-9_]*_(URL|URI|DSN)$/.test(name)) return false;
  return !new RegExp(`(?<![\\w$]|\\$\\{)${name}(?!\\w)`).test(text.replaceAll('\\\n', ''));
}

/** A name that a text sets to numbers only: `i=0`, `i=$((i + 1))`. */
export function isCounter(text: string, name: string): boolean {
  const joined = text.replaceAll('\\\n', '');
  const set = joined.match(settings(name)) ?? [];
  const plain =
    joined.match(
      new RegExp(`(?<![\\w$])${name}=(?:\\d{1,9}(?=[\\s;&|)]|$)|\\$\\(\\((?=[^()]*\\)\\)(?:[\\s;&|)]|$)))`, 'g'),
    ) ?? [];
  return set.length > 0 && set.length === plain.length;
}

/** Names that a text sets in one place only, so that they have the same value wherever they are used after that. */
export function isSetOnce(text: string, name: string): boolean {
  return (text.replaceAll('\\\n', '').match(settings(name)) ?? []).length === 1;
}

function settings(name: string): RegExp {
  return new RegExp(
    `(?<![\\w$])${name}(?=\\+?=|\\[)|\\bfor\\s+${name}\\b|\\b(?:read|getopts|mapfile|readarray|printf|select)\\b[^\\n;|&]*\\b${name}\\b`,
    'g',
  );
}
