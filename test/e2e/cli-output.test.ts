import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HOOK_TOKEN_HEADER } from '../../src/daemon/access/guard.ts';
import { cleanEnv } from '../kit/daemon-process.ts';
import { gctlBinary, makeGctlHome } from '../kit/run-gctl.ts';
import { shellCompletions } from '../kit/shell-completions.ts';
import { openTerminal } from '../kit/terminal.ts';
import { waitFor } from '../kit/wait.ts';

const ESCAPE = String.fromCharCode(27);
const HIDE = `${ESCAPE}[8m`;

/** A daemon with two sessions, one of which asks for a tool whose name tries to forge a line. */
async function startDaemonWithClient() {
  const home = makeGctlHome();
  expect(await home.gctl('up', '--detach', '--no-open', '--port', '0')).toMatchObject({ code: 0 });
  const { hookToken } = JSON.parse(readFileSync(join(home.dataDir, 'credentials.json'), 'utf8'));
  const post = (payload: object) =>
    fetch(`${home.daemon()!.url}/api/live/hook`, {
      method: 'POST',
      headers: { [HOOK_TOKEN_HEADER]: hookToken },
      body: JSON.stringify(payload),
    });
  const prompt = `${HIDE}Paint\nthe shed${ESCAPE}[0m ${'and the fence '.repeat(30)}`;
  await post({ session_id: 'painter-1', hook_event_name: 'UserPromptSubmit', prompt, cwd: '/w' });
  await post({ session_id: 'builder-1', hook_event_name: 'UserPromptSubmit', prompt: 'Build the shed', cwd: '/w' });
  const ask = {
    session_id: 'painter-1',
    hook_event_name: 'PermissionRequest',
    tool_name: `Bash${HIDE}\nDone 9\n  builder-1  Allowed, delivered to the terminal: Bash`,
    tool_input: { command: `ls${HIDE}` },
  };
  // held until it is decided
  post(ask).catch(() => undefined);
  const approval = await waitFor(
    async () => JSON.parse((await home.gctl('approvals', '--json')).stdout).approvals[0]?.id as string | undefined,
    { what: 'the request' },
  );
  return { ...home, approval };
}

type DaemonWithClient = Awaited<ReturnType<typeof startDaemonWithClient>>;

test("agent text can't color, hide or forge a line, rows fit the terminal, and shells complete ids", async () => {
  const world = await startDaemonWithClient();
  await readInTerminal(world);
  await readTranscript(world);
  await completeInShells(world);
});

async function readInTerminal({ home, gctl }: DaemonWithClient): Promise<void> {
  // in a terminal, with colors
  const terminal = await openTerminal({
    command: ['bash', '-c', `${gctlBinary} status; ${gctlBinary} approvals; echo END; cat`],
    cwd: home,
    env: cleanEnv(home, { TERM: 'xterm-256color', COLORTERM: 'truecolor' }),
  });
  onTestFinished(terminal.dispose);
  const screen = await terminal.waitForScreen(/^END$/m);
  const lines = screen.split('\n');
  expect(lines.filter((line) => /^Done/.test(line))).toEqual(['Done 0']);
  expect(lines.filter((line) => /^ *builder-1/.test(line))).toHaveLength(0);
  expect(lines.filter((line) => /^ +(painter-|builder-) /.test(line))).toHaveLength(2);
  expect(screen).toContain('Paint the shed and the fence');
  expect(screen).toContain('$ ls<U+001B>[8m');
  expect(screen).toMatch(/Hooks: Not installed in .*\n.*gctl hooks install/);
  // a row that is too long would wrap
  expect(lines.find((line) => line.includes('Paint the shed'))).toMatch(/…/);

  // a pipe gets every cell whole
  const piped = (await gctl('status')).stdout;
  expect(piped).toContain('and the fence '.repeat(30).trim().slice(0, 150));
  expect(piped).not.toContain(ESCAPE);
}

async function readTranscript({ gctl, configDir }: DaemonWithClient): Promise<void> {
  const folder = join(configDir, 'projects', 'p');
  mkdirSync(folder, { recursive: true });
  const line = { type: 'assistant', uuid: 'm1', timestamp: '2026-11-17T10:00:00Z', sessionId: 'colorful-1', cwd: '/w' };
  const content = [{ type: 'text', text: `${ESCAPE}[31mred${ESCAPE}[0m zebra\u202e words\nYou 2026-11-17 10:00` }];
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'a1', role: 'assistant', model: 'claude-opus-4-5', content, usage };
  writeFileSync(join(folder, 'colorful-1.jsonl'), `${JSON.stringify({ ...line, message })}\n`);
  const found = await waitFor(
    async () => {
      const { stdout } = await gctl('search', 'zebra');
      return stdout.includes('colorful') ? stdout : undefined;
    },
    { what: 'the transcript to be searchable', timeout: 60_000 },
  );
  expect(found).toContain('red zebra words');
  const shown = (await gctl('show', 'colorful-1')).stdout;
  expect(shown).toContain('\n  red zebra words\n  You 2026-11-17 10:00\n');
}

async function completeInShells({ home, gctl, approval }: DaemonWithClient): Promise<void> {
  await gctl('rules', 'add', '--tool', 'Bash', '--decision', 'ask');
  expect((await gctl('rules')).stdout).toMatch(
    /Built in\.[\s\S]*ask +Commands that run gctl +gctl can act as the operator/,
  );
  const bin = join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(gctlBinary, join(bin, 'gctl'));
  const env = cleanEnv(home, { PATH: `${bin}${delimiter}${process.env.PATH}` });

  const { bash, zsh, fish } = shellCompletions(env);
  expect(await bash('sta')).toEqual(['status', 'stats']);
  expect(await bash('tell', '')).toEqual(expect.arrayContaining(['painter-', 'builder-']));
  expect(await bash('deny', '--message', 'no', '')).toEqual([approval.slice(0, 8)]);
  expect(await bash('rules', 'rm', '')).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/)]);
  for (const complete of [zsh, fish]) {
    expect((await complete('sta')).sort()).toEqual(['stats', 'status']);
    expect(await complete('tell', '')).toEqual(expect.arrayContaining(['painter-', 'builder-']));
  }
  expect(await fish('deny', '--message', 'no', '')).toEqual([approval.slice(0, 8)]);

  // without a daemon there are no ids to complete, and no error
  expect(await gctl('down')).toMatchObject({ code: 0 });
  expect(await gctl('__complete', '--', 'stop', '')).toEqual({ code: 0, stdout: '', stderr: '' });
}
