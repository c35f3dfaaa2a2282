import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BlueprintTexts } from '../../contract/blueprints.ts';
import { killProgram, makeProgram, startProgram } from '../drivers/terminal/settings/program-for-test.ts';
import { Blueprints } from './blueprints.ts';

function makeWorld() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gc-blueprints-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [dataDir, configDir, project] = ['data', 'claude', 'app'].map((name) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  }) as [string, string, string];
  const blueprints = new Blueprints({ dataDir, configDir, agentsDir: undefined });
  const save = (
    name: string,
    more: Partial<BlueprintTexts> & { scope?: 'user' | 'project'; expected?: string | null } = {},
  ) => {
    const { scope = 'user', expected = null, ...texts } = more;
    return blueprints.save(name, { scope, project, expected, texts: { ...textsOf(name), ...texts } });
  };
  return { folder, dataDir, configDir, project, blueprints, save, users: join(dataDir, 'agents') };
}

const textsOf = (name: string, description = 'Does things') => ({
  config: `{\n  "name": ${JSON.stringify(name)},\n  "description": ${JSON.stringify(description)}\n}\n`,
  systemPrompt: 'You do things.\n',
  mcp: null,
});

function put(folder: string, files: Record<string, string>) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

const claudeFile = (name: string) => `---\nname: ${name}\ndescription: From Claude Code\n---\nYou do things.\n`;

test('finds blueprints in every scope, and uses the one with the highest precedence', async () => {
  const { folder, dataDir, configDir, project, blueprints } = makeWorld();
  const agentsDir = join(folder, 'env');
  put(join(agentsDir, 'a'), { 'agent.json': textsOf('a').config });
  for (const name of ['a', 'b'])
    put(join(project, '.groundcontrol', 'agents', name), { 'agent.json': textsOf(name).config });
  for (const name of ['b', 'c']) put(join(dataDir, 'agents', name), { 'agent.json': textsOf(name).config });
  put(join(project, '.claude', 'agents'), { 'c.md': claudeFile('c'), 'd.md': claudeFile('d'), 'notes.txt': '' });
  put(join(configDir, 'agents', 'team'), { 'd.md': claudeFile('d'), 'e.md': claudeFile('e') });

  const list = await blueprints.list({ project, agentsDir });
  expect(list.map(({ scope, name, isUsed }) => `${scope} ${name} ${isUsed}`)).toEqual([
    'environment a true',
    'project a false',
    'project b true',
    'user b false',
    'user c true',
    'claude_project c false',
    'claude_project d true',
    'claude_user d false',
    'claude_user e true',
  ]);
  expect(await blueprints.get('b', { project })).toMatchObject({ scope: 'project', config: { name: 'b' } });
  expect(await blueprints.get('b', { project, scope: 'user' })).toMatchObject({ scope: 'user', isUsed: false });
  expect((await blueprints.list({})).map(({ name }) => name)).toEqual(['b', 'c', 'd', 'e']);
  await expect(blueprints.get('z', { project })).rejects.toThrow('No blueprint "z"');
});

test("uses the main checkout's blueprints in a worktree", async () => {
  const { folder, project, blueprints } = makeWorld();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'ignore',
    });
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'Start');
  git('worktree', 'add', '-q', join(folder, 'tree'));
  put(join(project, '.groundcontrol', 'agents', 'a'), { 'agent.json': textsOf('a').config });
  put(join(folder, 'tree', '.groundcontrol', 'agents', 'planted'), { 'agent.json': textsOf('planted').config });
  expect((await blueprints.list({ project: join(folder, 'tree') })).map(({ name }) => name)).toEqual(['a']);
});

describe('saving', () => {
  test('writes, changes and removes all files of a blueprint, and leaves others alone', async () => {
    const { blueprints, save, users } = makeWorld();
    const first = await save('a', { mcp: '{"mcpServers": {}}' });
    expect(readdirSync(join(users, 'a')).sort()).toEqual(['agent.json', 'agent.mcp.json', 'agent.system-prompt.md']);
    writeFileSync(join(users, 'a', 'NOTES.md'), 'mine');
    const second = await save('a', { expected: first.version, systemPrompt: '' });
    expect(second.version).not.toBe(first.version);
    expect(readdirSync(join(users, 'a')).sort()).toEqual(['NOTES.md', 'agent.json']);
    await blueprints.remove('a', { scope: 'user', expected: second.version });
    expect(readdirSync(join(users, 'a'))).toEqual(['NOTES.md']);
    expect(await blueprints.list({})).toEqual([]);
  });

  test('refuses to overwrite changes the editor has not seen', async () => {
    const { blueprints, save, users } = makeWorld();
    const { version } = await save('a');
    await expect(save('a')).rejects.toMatchObject({
      code: 'agent.conflict',
      message: expect.stringContaining('already exists'),
    });
    writeFileSync(join(users, 'a', 'agent.system-prompt.md'), 'Edited by hand.');
    await expect(save('a', { expected: version })).rejects.toMatchObject({ code: 'agent.conflict' });
    await expect(blueprints.remove('a', { scope: 'user', expected: version })).rejects.toMatchObject({
      code: 'agent.conflict',
    });
    expect(readFileSync(join(users, 'a', 'agent.system-prompt.md'), 'utf8')).toBe('Edited by hand.');
    const results = await Promise.allSettled([save('b'), save('b'), save('b')]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test.each(['../x', '..', '.', 'a/b', 'a\0b', '', 'é', 'a b', 'x'.repeat(61), 'a\nb', '-\u202e'])(
    'refuses the name %j',
    async (name) => {
      const { save, folder } = makeWorld();
      const before = readdirSync(folder, { recursive: true }).length;
      await expect(save(name)).rejects.toMatchObject({ code: 'agent.invalid' });
      expect(readdirSync(folder, { recursive: true })).toHaveLength(before);
    },
  );

  test('refuses names that differ only in case', async () => {
    const { save } = makeWorld();
    await save('Reviewer');
    await expect(save('reviewer')).rejects.toMatchObject({
      code: 'agent.conflict',
      message: expect.stringContaining('"Reviewer"'),
    });
  });

  test('never writes a blueprint with errors', async () => {
    const { save, users } = makeWorld();
    await expect(save('a', { config: '{"name": "a"' })).rejects.toMatchObject({
      code: 'agent.invalid',
      details: { problems: [{ file: 'agent.json', line: 1 }] },
    });
    await expect(save('a', { mcp: '[]' })).rejects.toMatchObject({ code: 'agent.invalid' });
    expect(existsSync(users)).toBe(false);
  });

  test.each([
    ['.groundcontrol', (out: string, project: string) => symlinkSync(out, join(project, '.groundcontrol'))],
    [
      'agents',
      (out: string, project: string) => {
        mkdirSync(join(project, '.groundcontrol'));
        symlinkSync(out, join(project, '.groundcontrol', 'agents'));
      },
    ],
    [
      "the project's folder",
      (out: string, project: string) => {
        mkdirSync(join(project, '.groundcontrol', 'agents'), { recursive: true });
        symlinkSync(out, join(project, '.groundcontrol', 'agents', 'a'));
      },
    ],
    [
      'a file',
      (out: string, project: string) => {
        put(join(project, '.groundcontrol', 'agents', 'a'), {});
        symlinkSync(join(out, 'secret'), join(project, '.groundcontrol', 'agents', 'a', 'agent.json'));
      },
    ],
  ])('refuses to follow a link out of the project: %s', async (_what, link) => {
    const { folder, project, blueprints, save } = makeWorld();
    const out = join(folder, 'out');
    put(out, { secret: 'key', 'agent.json': textsOf('a').config });
    for (const path of ['a', join('agents', 'a')]) put(join(out, path), { 'agent.json': textsOf('a').config });
    link(out, project);
    await expect(save('a', { scope: 'project' })).rejects.toMatchObject({ code: 'agent.refused' });
    expect(readdirSync(out).sort()).toEqual(['a', 'agent.json', 'agents', 'secret']);
    expect(readFileSync(join(out, 'secret'), 'utf8')).toBe('key');
    const [listed] = await blueprints.list({ project });
    expect(listed).toMatchObject({
      description: '',
      problems: [{ severity: 'error', message: expect.stringContaining('link') }],
    });
  });
});

test('lists unreadable files with the reason', async () => {
  const { configDir, users, blueprints } = makeWorld();
  put(join(users, 'pipe'), {});
  execFileSync('mkfifo', [join(users, 'pipe', 'agent.json')]);
  put(join(users, 'huge'), { 'agent.json': ' '.repeat(300 * 1024) });
  put(join(users, 'bytes'), {});
  writeFileSync(join(users, 'bytes', 'agent.json'), Buffer.from([0xff, 0xfe]));
  put(join(users, 'half'), { 'agent.system-prompt.md': 'No agent.json' });
  put(join(users, 'empty'), {});
  put(join(users, 'bad name'), { 'agent.json': textsOf('bad name').config });
  put(join(configDir, 'agents'), { 'broken.md': 'no front matter' });
  const list = await blueprints.list({});
  expect(Object.fromEntries(list.map(({ name, problems }) => [name, problems[0]?.message]))).toEqual({
    'bad name': expect.stringContaining('use 1 to 60 letters'),
    bytes: expect.stringContaining('not UTF-8'),
    half: expect.stringContaining('not valid JSON'),
    huge: expect.stringContaining('larger than 256 KB'),
    pipe: expect.stringContaining('not a plain file'),
    broken: expect.stringContaining('no YAML'),
  });
});

describe('a write that was killed', () => {
  const KILLS = 6;

  test('leaves the old blueprint or the new one, never a mix', async () => {
    const { blueprints, users } = makeWorld();
    const folder = join(users, 'a');
    mkdirSync(users);
    const program = await makeProgram(`
      import { writeAgentFolder } from './../../../blueprints/agent-folder.ts';
      for (let n = Number(process.argv[3]); ; n++) {
        const config = JSON.stringify({ name: 'a', description: String(n) });
        await writeAgentFolder(process.argv[2], { config, systemPrompt: String(n), mcp: JSON.stringify({ mcpServers: { ['n' + n]: { command: 'x' } } }) });
        process.stdout.write('.');
        if (n % 4 === 0) await writeAgentFolder(process.argv[2], null);
      }`);
    for (let kill = 0; kill < KILLS; kill++) {
      const { program: running } = await startProgram(program, folder, String(kill * 100_000));
      await sleep(Math.random() * 30);
      await killProgram(running);
      const [found] = await blueprints.list({});
      if (!found) {
        expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
        continue;
      }
      const { description, systemPrompt, mcp } = await blueprints.get('a', {});
      expect([systemPrompt, Object.keys(mcp?.mcpServers ?? {})]).toEqual([description, [`n${description}`]]);
      expect(readdirSync(folder).sort()).toEqual(['agent.json', 'agent.mcp.json', 'agent.system-prompt.md']);
    }
  });

  test('keeps edits made in between', async () => {
    const { blueprints, users } = makeWorld();
    const folder = join(users, 'a');
    put(folder, {
      'agent.json': textsOf('a', 'Mine').config,
      '.groundcontrol-pending.json': JSON.stringify({
        files: [{ name: 'agent.json', before: 'another hash', after: textsOf('a', 'Theirs').config }],
      }),
    });
    expect(await blueprints.list({})).toMatchObject([{ description: 'Mine' }]);
    expect(readdirSync(folder)).toEqual(['agent.json']);
  });
});

test('validates parameters and inserts them into the system prompt', async () => {
  const { blueprints, save } = makeWorld();
  const parameters = {
    type: 'object',
    properties: { language: { type: 'string' }, depth: { type: 'integer', default: 2 } },
    required: ['language'],
    additionalProperties: false,
  };
  const config = JSON.stringify({ name: 'a', description: 'x', parameters });
  await save('a', { config, systemPrompt: 'Review {{language}} {{depth}} deep.' });
  expect(await blueprints.render('a', { parameters: { language: 'Go' } })).toBe('Review Go 2 deep.');
  await expect(blueprints.render('a', { parameters: { language: 3, more: true } })).rejects.toMatchObject({
    code: 'agent.bad_parameters',
    message: `The parameters don't fit "a": more is not a known field; language must be string.`,
  });
  await save('b');
  await expect(blueprints.render('b', { parameters: { language: 'Go' } })).rejects.toMatchObject({
    code: 'agent.bad_parameters',
  });
});
