import { homedir } from 'node:os';

/** What an agent could use to hide from us or to act as the operator. */
export interface OwnPaths {
  dataDir: string;
  /** Claude Code's folder. */
  configDir: string;
  port: number;
}

/** How each of them is spelled in a command, or in any other tool's input. */
export interface Spellings {
  program: RegExp;
  data: RegExp;
  address: RegExp;
  settings: RegExp;
  hooksOff: RegExp;
}

/** Word boundaries, in shells and programming languages. */
const BEFORE = '(?:^|[\\s;&|()<>`=,:{["\'/])';
const AFTER = '(?=$|[\\s;&|()<>`,:}\\]"\'])';
/** Where a program is named to be run. */
const RUNS =
  '(?:^|[;&|(`{\\n]|\\$\\(|\\b(?:npx|bunx|dlx|exec|env|sudo|nohup|xargs)\\s(?:-\\S+\\s+)*)\\s*(?:\\S*/bin/)?';
const LOOPBACK =
  '(?:127(?:\\.\\d{1,3}){1,3}|localhost|\\[?::1\\]?|\\[?::ffff:127\\.0\\.0\\.1\\]?|0\\.0\\.0\\.0|0x7f000001|2130706433)';
const SETTINGS = 'settings(?:\\.local)?\\.json';

export function spellingsOf({ dataDir, configDir, port }: OwnPaths): Spellings {
  const data = anyOf([
    ...pathSpellings(dataDir),
    'GROUNDCONTROL_HOME',
    'hook-token\\.curlrc',
    '\\.groundcontrol(?![\\w-])',
  ]);
  const settings = anyOf([
    `\\.claude/+${SETTINGS}`,
    ...pathSpellings(configDir).map((folder) => `${folder}/+${SETTINGS}`),
    'managed-settings(?:\\.d|\\.json)',
    '\\.claude\\.json(?!\\w)',
  ]);
  return {
    program: new RegExp(`${BEFORE}gctl(?:\\.js)?${AFTER}|${RUNS}groundcontrol${AFTER}`),
    data: new RegExp(data),
    address: new RegExp(
      `${LOOPBACK}["')\\]]*[\\s:/,]{1,3}${port}(?!\\d)|x-groundcontrol-(?:token|challenge|asker)`,
      'i',
    ),
    settings: new RegExp(settings),
    hooksOff: new RegExp(
      `disableAllHooks|allowedHttpHookUrls|allowManagedHooksOnly|${BEFORE}claude\\s[^\\n]*--(?:bare|safe-mode|settings|setting-sources)\\b`,
    ),
  };
}

/** A folder below home can be written in other ways, too. */
function pathSpellings(path: string): string[] {
  const home = homedir();
  if (!path.startsWith(`${home}/`)) return [escapeText(path)];
  return [escapeText(path), `(?:~|\\$HOME|\\$\\{HOME\\})${escapeText(path.slice(home.length))}`];
}

const anyOf = (spellings: string[]): string => `(?:${spellings.join('|')})`;

const escapeText = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
