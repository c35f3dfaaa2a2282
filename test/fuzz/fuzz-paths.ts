import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadBash } from '../../src/daemon/rules/bash/grammar.ts';
import { decide } from '../../src/daemon/rules/decide.ts';
import { realPathOnDisk } from '../../src/daemon/rules/disk.ts';
import { RuleSet } from '../../src/daemon/rules/rule-set.ts';
import { dice } from './dice.ts';
import type { FuzzReport } from './fuzz-options.ts';

/** A rule and its plain meaning: which resolved files it covers. */
interface PathRule {
  toolName: string;
  key: string;
  pattern: string;
  means(path: string, places: Places): boolean;
}

interface Places {
  project: string;
  home: string;
}

const within = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`);
const isName = (path: string, name: RegExp) => name.test(path.slice(path.lastIndexOf('/') + 1));
const isChild = (folder: string, path: string) => within(folder, path) && !path.slice(folder.length + 1).includes('/');

const RULES: PathRule[] = [
  ...['Read', 'Write', 'NotebookEdit', 'Grep', 'Glob'].flatMap((toolName): PathRule[] => {
    const about = { toolName, key: 'file_path' };
    return [
      { ...about, pattern: './**', means: (path, { project }) => within(project, path) },
      { ...about, pattern: 'src/**', means: (path, { project }) => within(`${project}/src`, path) },
      { ...about, pattern: '~/notes/**', means: (path, { home }) => within(`${home}/notes`, path) },
      ...(toolName === 'Glob'
        ? []
        : [
            {
              ...about,
              pattern: 'src/*.ts',
              means: (path: string, { project }: Places) => isChild(`${project}/src`, path) && isName(path, /\.ts$/),
            },
            {
              ...about,
              pattern: 'src/**/*.ts',
              means: (path: string, { project }: Places) => within(`${project}/src`, path) && isName(path, /\.ts$/),
            },
            { ...about, pattern: '*.md', means: (path: string) => isName(path, /\.md$/) },
            {
              ...about,
              pattern: '{docs,src}/?.md',
              means: (path: string, { project }: Places) =>
                (isChild(`${project}/docs`, path) || isChild(`${project}/src`, path)) && isName(path, /^.\.md$/),
            },
          ]),
    ];
  }),
  // a wildcard inside a path of a command
  ...['touch', 'tee', 'cp docs/a.md', 'rm -f'].flatMap((program): PathRule[] => [
    {
      toolName: 'Bash',
      key: 'command',
      pattern: `${program} src/*`,
      means: (path, { project }) => within(`${project}/src`, path),
    },
    {
      toolName: 'Bash',
      key: 'command',
      pattern: `${program} src/*.ts`,
      means: (path, { project }) => within(`${project}/src`, path) && isName(path, /\.ts$/),
    },
  ]),
];

const BATCH = 400;
const NAMES = [
  'src',
  'link',
  'link2',
  'up',
  'gone',
  'a.ts',
  'b.md',
  '..',
  '.',
  '',
  'docs',
  '.env',
  'deep',
  'x.ts',
  'notes',
  'far',
  '~',
  '...',
  ' ',
  'A.TS',
];

/** Checks paths in every spelling against path rules on a disk full of links, and where allowed paths really lead. */
export async function fuzzPaths({ count, seed }: { count: number; seed: number }): Promise<FuzzReport> {
  const random = dice(seed);
  const io = { parseBash: await loadBash(), realPath: realPathOnDisk };
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rules-paths-')));
  const places = { project: join(root, 'project'), home: join(root, 'home') };
  fill(root);
  const sets = RULES.map((rule) => ({ rule, set: ruleSet(rule) }));
  const report: FuzzReport = { generated: 0, allowed: 0, ran: 0, harmful: 0, holes: [] };
  const made: { rule: PathRule; path: string; shown: string; isAllowed: boolean }[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const { rule, set } = sets[index % sets.length]!;
      const path = makePath();
      const toolInput = inputFor(rule, path);
      const call = { toolName: rule.toolName, toolInput, cwd: places.project, ...places, now: 1 };
      const isAllowed = decide(call, set, io).decision === 'allow';
      made.push({ rule, path, shown: JSON.stringify(toolInput), isAllowed });
    }
    for (let from = 0; from < made.length; from += BATCH) check(made.slice(from, from + BATCH));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return report;

  function makePath(): string {
    const start = random.pick([
      '',
      '',
      '',
      './',
      `${places.project}/`,
      '~/',
      '../project/',
      `${root}/`,
      '../',
      '$HOME/',
      '/',
    ]);
    const names = Array.from({ length: 1 + random.below(5) }, () => random.pick(NAMES));
    return `${start}${names.join('/')}`;
  }

  /** As the system resolves it, including links; `~` is the home folder. */
  function truth(paths: string[]): string[] {
    const absolute = paths.map((path) => resolveHome(path) ?? `${places.project}/${path}`);
    const { stdout } = spawnSync('realpath', ['-m', '-z', '--', ...absolute], { encoding: 'utf8' });
    return stdout.split('\0').slice(0, -1);
  }

  function resolveHome(path: string): string | undefined {
    if (path.startsWith('/')) return path;
    const [, rest] = /^(?:~|\$HOME)(\/.*)?$/s.exec(path) ?? [];
    return rest === undefined && !/^(~|\$HOME)$/.test(path) ? undefined : `${places.home}${rest ?? ''}`;
  }

  function check(batch: typeof made): void {
    // a program may normalize `..` before it asks the system, or leave that to the system
    const literal = truth(batch.map(({ path }) => path));
    const tidied = truth(batch.map(({ path }) => resolve(resolveHome(path) ?? `${places.project}/${path}`)));
    batch.forEach(({ rule, shown, isAllowed }, index) => {
      const wrong = [literal[index]!, tidied[index]!].find((path) => !rule.means(path, places));
      report.generated++;
      if (wrong !== undefined) report.harmful++;
      if (!isAllowed) return;
      report.allowed++;
      report.ran++;
      const pattern = `${rule.toolName}: ${rule.pattern}`;
      if (wrong !== undefined) report.holes.push({ pattern, command: shown, effect: `is ${wrong}` });
    });
  }
}

function inputFor({ toolName, pattern }: PathRule, path: string): Record<string, unknown> {
  if (toolName === 'Bash') return { command: `${pattern.slice(0, pattern.lastIndexOf(' '))} ${quoted(path)}` };
  if (toolName === 'NotebookEdit') return { notebook_path: path };
  if (toolName === 'Glob') return { pattern: path };
  return toolName === 'Grep' ? { pattern: 'x', path } : { file_path: path };
}

/** As a shell word; a leading `~` or `$HOME` means the home folder there too. */
function quoted(path: string): string {
  const [start = ''] = /^(~|\$HOME)(?=\/|$)/.exec(path) ?? [];
  return `${start}'${path.slice(start.length).replaceAll("'", `'\\''`)}'`;
}

function ruleSet({ toolName, key, pattern }: PathRule): RuleSet {
  const base = {
    id: 'r',
    scope: 'global',
    priority: 0,
    enabled: true,
    reason: '',
    createdAt: 0,
    decision: 'allow',
  } as const;
  return new RuleSet([{ ...base, pattern: { toolName, parameters: { [key]: pattern } } }]);
}

function fill(root: string): void {
  for (const folder of ['project/src/deep', 'project/docs', 'outside/far', 'home/notes'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of [
    'project/src/a.ts',
    'project/docs/a.md',
    'project/src/b.md',
    'outside/far/a.ts',
    'outside/a.ts',
    'project/.env',
    'home/notes/b.md',
  ]) {
    writeFileSync(join(root, file), 'x');
  }
  const links: Record<string, string> = {
    'project/src/link': '../../outside',
    'project/link': '../outside/far',
    'project/link2': 'src',
    'project/src/link2': 'deep',
    'project/src/up': '..',
    'project/up': '..',
    'project/src/gone': '../../outside/new.ts',
    'project/src/x.ts': '../../outside/a.ts',
    'project/docs/x.ts': '../src/a.ts',
    'project/src/deep/a.ts': '/etc/hostname',
    'home/notes/far': '../../outside/far',
    'home/link': 'notes',
  };
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
}
