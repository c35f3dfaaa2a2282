import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { answerDialog } from '../kit/answer-dialog.ts';
import { apiCaller } from '../kit/call-api.ts';
import { makeClientHome } from '../kit/client-home.ts';
import { type DaemonProcess, newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { startInteractive } from '../kit/real-client.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { startScriptedApi } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';
import { GREETING, pressEnterIfUnsent, waitForHooks } from '../kit/wait-for-hooks.ts';

const DIALOG = /Do you want to proceed/;
const NAMES = ['one', 'two', 'three', 'four', 'five', 'six'];

/** A real client whose daemon comes and goes. */
async function startDaemonWithClient() {
  const api = await startScriptedApi([
    ...NAMES.map((name) => ({
      when: `make ${name}`,
      reply: [callTool('Bash', { command: `touch ${name}.txt` }), say(`Turn ${name} is over.`)],
    })),
    GREETING,
  ]);
  onTestFinished(api.close);
  const client = await makeClientHome({ apiUrl: api.url });
  onTestFinished(client.dispose);
  const home = newHome();
  const up = () => startDaemonProcess({ home, args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: client.configDir } });
  let daemon: DaemonProcess = await up();
  let upSince = Date.now();
  onTestFinished(() => daemon.kill('SIGKILL'));
  const terminal = await startInteractive(client);
  onTestFinished(terminal.dispose);
  const call = (method: string, path: string, body?: unknown) => apiCaller(daemon)(method, path, body);
  return {
    terminal,
    call,
    made: (name: string) => existsSync(join(client.project, `${name}.txt`)),
    kill: (signal: NodeJS.Signals) => daemon.kill(signal),
    async restart() {
      upSince = Date.now();
      daemon = await up();
    },
    waitForHooks: () => waitForHooks({ terminal, call, since: upSince }),
    pending: (): Promise<Approval> =>
      waitFor(
        async () => {
          const [found] = (await call('GET', '/api/approvals?status=pending')).json.approvals;
          if (!found) await pressEnterIfUnsent(terminal);
          return found;
        },
        { what: 'an approval', timeout: 60_000, interval: 1_000, context: terminal.lastScreen },
      ),
    approval: async (id: string): Promise<Approval> => (await call('GET', `/api/approvals/${id}`)).json,
  };
}

test('a decision reaches a terminal whose daemon was killed, replaced or away, and only then counts as delivered', async () => {
  const { terminal, call, pending, approval, made, kill, restart, waitForHooks } = await startDaemonWithClient();

  await terminal.prompt('make one');
  const first = await pending();
  const decided = await call('POST', `/api/approvals/${first.id}/decision`, { decision: 'allow' });
  expect(decided.json).toMatchObject({ status: 'decided', delivery: { state: 'delivered' } });
  await terminal.waitForScreen(/Turn one is over/);
  expect(made('one')).toBe(true);

  await terminal.prompt('make two');
  const second = await pending();
  await terminal.waitForScreen(DIALOG);
  await kill('SIGKILL');
  await restart();
  expect((await pending()).id).toBe(second.id);
  const after = await call('POST', `/api/approvals/${second.id}/decision`, { decision: 'deny', message: 'Not today' });
  expect(after).toMatchObject({ status: 200, json: { delivery: { state: 'delivered' } } });
  await terminal.waitForScreen(/Turn two is over/);
  expect(made('two')).toBe(false);

  // stopped on purpose, as for an update
  await waitForHooks();
  await terminal.prompt('make three');
  const third = await pending();
  await kill('SIGTERM');
  await terminal.waitForScreen(DIALOG);
  await restart();
  expect((await pending()).id).toBe(third.id);
  await call('POST', `/api/approvals/${third.id}/decision`, { decision: 'allow' });
  await waitFor(async () => (await approval(third.id)).delivery?.state === 'delivered', { what: 'the delivery' });
  await terminal.waitForScreen(/Turn three is over/);
  expect(made('three')).toBe(true);
  const { entries } = (await call('GET', '/api/audit?action=approval')).json;
  const outcomes = entries.map(({ action, outcome }: { action: string; outcome: string }) => `${action} ${outcome}`);
  expect(outcomes).toEqual([
    'approval.decided allow',
    'approval.delivered delivered',
    'approval.decided deny',
    'approval.delivered delivered',
    'approval.decided allow',
    'approval.delivered delivered',
  ]);

  // answered at the keyboard while the daemon was away
  await waitForHooks();
  await terminal.prompt('make four');
  const fourth = await pending();
  await terminal.waitForScreen(DIALOG);
  await kill('SIGKILL');
  await answerDialog(terminal, DIALOG, 'Enter');
  await terminal.waitForScreen(/Turn four is over/);
  await restart();
  await waitFor(async () => (await approval(fourth.id)).status === 'answered_in_terminal', {
    what: 'the approval to be settled',
    context: () => approval(fourth.id),
  });
  const late = await call('POST', `/api/approvals/${fourth.id}/decision`, { decision: 'deny' });
  expect(late).toMatchObject({ status: 409, json: { error: { message: expect.stringContaining('terminal') } } });

  // Esc ends the asking process, which reports it
  await terminal.waitForStatus('idle');
  await waitForHooks();
  await terminal.prompt('make five');
  const fifth = await pending();
  await answerDialog(terminal, DIALOG, 'Escape');
  await waitFor(async () => (await approval(fifth.id)).status === 'answered_in_terminal', {
    what: 'Esc to settle it',
    context: terminal.lastScreen,
  });
});
