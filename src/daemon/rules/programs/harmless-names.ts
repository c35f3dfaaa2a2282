/**
 * Words of option names that select, count, order, limit or show. None of them names a program, a file, a folder, an address or a
 * permission, so an option made of nothing else (`--no-capture`, `--max-depth=3`) does no more than its program.
 */
const HARMLESS = new Set(
  (
    'no not without diff diffs dry run quiet silent verbose color colors ansi progress bar summary stats statistics count counts list show hide ' +
    'print tree depth level max min limit top first last all any only exclude excluded skip skipped ignore ignored filter match matching grep ' +
    'regex regexp invert name names label labels tag tags group groups grouped sort sorted order by reverse unique since until before after ' +
    'date dates time times timestamp timestamps timeout interval retries retry wait watch once repeat parallel concurrency concurrent jobs ' +
    'workers threads serial sequential shard shuffle random randomize seed fail failed failing failures failure fast bail error errors ' +
    'warning warnings strict check checks lint test tests testing unit integration bench coverage snapshot snapshots outdated latest dev prod ' +
    'production development staging release mode optimize minify json yaml csv md text plain raw pretty compact long short full wide ' +
    'oneline table width height lines columns indent tabs unicode utf8 locale language lang encoding docs doc document documentation private ' +
    'public internal items item types typecheck declaration symbols exports imports dependencies deps dependency peer optional workspaces ' +
    'features feature arch versions edition commit commits merge merges changed affected staged unstaged cached uncommitted modified ' +
    'untracked tracked passed passing pending slow slowest duration durations isolate isolated keep going keepdb nocapture capture usage ' +
    'explain why reason describe details detailed extended metadata id ids number numbers size human readable bytes exit code status state ' +
    'zero null empty offline online audit fund lockfile frozen locked immutable headless headed ci follow related recursive ' +
    'severity threshold score rank rating unused used circular orphans leaves duplicates duplicate stable unstable experimental legacy ' +
    'deprecated outdent trim strip case sensitive insensitive words word line column page pages items per total average ratio percent start end ' +
    'type format reporter reporters context autogenerate style theme sql stdout stdin input files precise lib sample deny ' +
    'step steps stop continue resume fuzzy exact similar simple basic advanced minimal normal standard default auto automatic manual'
  ).split(' '),
);

/** A value that can't be a path, an address or a list of settings. */
const PLAIN_VALUE = /^[\w.,:@%+ -]*$/;

/** Whether an option that is in no list can be covered by a wildcard: nothing in its name or its value hints at more. */
export function isHarmlessName(name: string, value: string | undefined): boolean {
  if (!/^--[a-z]/.test(name) || (value !== undefined && (!PLAIN_VALUE.test(value) || value.startsWith('-'))))
    return false;
  const words = name
    .slice(2)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/);
  // `--run` alone is something else
  return words.every((word) => HARMLESS.has(word)) && name !== '--run';
}
