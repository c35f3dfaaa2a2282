/** Names in small letters that mean something to a shell or to programs. */
const TAKEN = new Set(
  (
    '_ path cdpath fpath manpath mailpath fignore module_path psvar watch prompt argv status pipestatus options aliases functions ' +
    'commands builtins parameters modules history histchars keymap widgets signals nameddirs userdirs jobdirs jobstates jobtexts ' +
    'terminfo termcap errnos sysparams mapfile region_highlight dirstack reswords patchars saliases galiases ' +
    'http_proxy https_proxy ftp_proxy all_proxy no_proxy rsync_proxy'
  ).split(' '),
);
/** In capitals almost every name may be one that some program looks for, but nothing looks for these. */
const USUAL = new Set(
  'F I J N X FILE FILES DIR DIRS LINE LINES_LEFT COUNT TOTAL RESULT OUTPUT STATUS RC EXIT_CODE SHA COMMIT PR PR_NUMBER RUN_ID ISSUE'.split(
    ' ',
  ),
);
/** What they hold is no secret. */
const PUBLIC = new Set('HOME PWD OLDPWD USER LOGNAME SHELL LANG HOSTNAME RANDOM SECONDS PIPESTATUS'.split(' '));

/** A variable that a script uses for itself: setting it changes no program that runs afterwards. */
export function isOwnVariable(name: string): boolean {
  if (/^[a-z_][a-z0-9_]*$/.test(name)) return !TAKEN.has(name) && !/^(npm|zsh|bash|git)_/.test(name);
  return USUAL.has(name);
}

export function isPublicVariable(name: string): boolean {
  return PUBLIC.has(name) || /^[\d?#$!-]$/.test(name);
}

/** Names that a text sets in one place only, so that they have the same value wherever they are used after that. */
export function isSetOnce(text: string, name: string): boolean {
  const set = new RegExp(
    `(?<![\\w$])${name}(?=\\+?=|\\[)|\\bfor\\s+${name}\\b|\\b(?:read|getopts|mapfile|readarray|printf|select)\\b[^\\n;|&]*\\b${name}\\b`,
    'g',
  );
  return (text.replaceAll('\\\n', '').match(set) ?? []).length === 1;
}
