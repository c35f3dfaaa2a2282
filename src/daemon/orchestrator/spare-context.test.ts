import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { START_EVENTS } from '../drivers/terminal/settings/own-hook.ts';
import { createGit } from '../worktrees/git.ts';
import { readContext } from './spare-context.ts';

function makeProject() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gc-spare-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [configDir, project] = [join(root, 'claude'), join(root, 'work', 'app')];
  for (const folder of [configDir, project]) mkdirSync(folder, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], {
      cwd: project,
      stdio: 'pipe',
    });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'One');
  let today = Date.UTC(2026, 0, 10, 12);
  const places = {
    configDir,
    git: createGit({ env: process.env, folder: join(root, 'git') }),
    now: () => today,
    gitMs: 30_000,
    startEvents: START_EVENTS,
    isOurHook: (hook: unknown) => JSON.stringify(hook).includes('ours'),
  };
  return {
    root,
    configDir,
    git,
    write(path: string, text: string) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    sleepADay: () => {
      today += 86_400_000;
    },
    read: () => readContext(project, places),
  };
}

type Project = ReturnType<typeof makeProject>;

const CHANGES: Record<string, (project: Project) => void> = {
  'a commit': ({ git }) => void git('commit', '-q', '--allow-empty', '-m', 'Two'),
  'another branch': ({ git }) => void git('checkout', '-q', '-b', 'other'),
  'an uncommitted file': ({ write }) => write('work/app/new.txt', 'x'),
  'instructions of the project': ({ write }) => write('work/app/CLAUDE.md', 'Be brief.'),
  'local instructions': ({ write }) => write('work/app/CLAUDE.local.md', 'Be brief.'),
  'instructions above the project': ({ write }) => write('work/CLAUDE.md', 'Be brief.'),
  'instructions of the person': ({ write }) => write('claude/CLAUDE.md', 'Be brief.'),
  'settings of the person': ({ write }) => write('claude/settings.json', '{"model":"opus"}'),
  'settings of the project': ({ write }) => write('work/app/.claude/settings.local.json', '{"model":"opus"}'),
  'an agent': ({ write }) => write('work/app/.claude/agents/a.md', 'x'),
  'a nested skill': ({ write }) => write('claude/skills/one/SKILL.md', 'x'),
  'the next day': ({ sleepADay }) => sleepADay(),
};

for (const [what, change] of Object.entries(CHANGES)) {
  test(`notices ${what}`, async () => {
    const project = makeProject();
    const before = await project.read();
    expect(await project.read()).toBe(before);
    change(project);
    const after = await project.read();
    expect(after).toEqual(expect.any(String));
    expect(after).not.toBe(before);
  });
}

test('notices a change in imported instructions', async () => {
  const { read, write } = makeProject();
  write('work/CLAUDE.md', 'See @docs/style.md.\n@docs/style.md');
  write('work/docs/style.md', '@deeper.md');
  write('work/docs/deeper.md', 'One.');
  const before = await read();
  write('work/docs/deeper.md', 'Another text.');
  expect(await read()).not.toBe(before);
});

test('reads a folder without a repository, and one whose imports form a circle', async () => {
  const { read, write, root } = makeProject();
  rmSync(join(root, 'work', 'app', '.git'), { recursive: true });
  write('work/CLAUDE.md', '@CLAUDE.md');
  expect(await read()).toEqual(expect.any(String));
});

const hook = (command: string) => ({ hooks: [{ type: 'command', command }] });

for (const [what, path, content] of [
  ["the person's start hook", 'claude/settings.json', { hooks: { SessionStart: [hook('notify-send hi')] } }],
  ["the project's setup hook", 'work/app/.claude/settings.json', { hooks: { Setup: [hook('make')] } }],
  ['a plugin', 'claude/settings.json', { enabledPlugins: { 'a@b': true } }],
  ['an MCP server of the project', 'work/.mcp.json', { mcpServers: {} }],
] as const) {
  test(`starts no client ahead of time where it would run ${what}`, async () => {
    const { read, write } = makeProject();
    write(path, JSON.stringify(content));
    expect(await read()).toBeNull();
  });
}

test('is not kept from a start by our own hooks, other events or disabled plugins', async () => {
  const { read, write } = makeProject();
  const hooks = { SessionStart: [hook('curl # ours')], PreToolUse: [hook('lint')] };
  write('claude/settings.json', JSON.stringify({ hooks, enabledPlugins: { 'a@b': false } }));
  expect(await read()).toEqual(expect.any(String));
});
