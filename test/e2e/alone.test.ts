import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { answerDialog } from '../kit/answer-dialog.ts';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { type ClientHome, makeClientHome } from '../kit/client-home.ts';
import { newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { openPage } from '../kit/open-page.ts';
import { childrenOf, isAlive } from '../kit/processes.ts';
import { startInteractive } from '../kit/real-client.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { startScriptedApi } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

const DIALOG = /Do you want to proceed/;
const NAMES = ['one', 'two', 'three'];

async function startScene(): Promise<ClientHome> {
  const api = await startScriptedApi(
    NAMES.map((name) => ({
      when: `make ${name}`,
      reply: [callTool('Bash', { command: `touch ${name}.txt` }), say(`Turn ${name} is over.`)],
    })),
  );
  onTestFinished(api.close);
  const home = await makeClientHome({ apiUrl: api.url });
  onTestFinished(home.dispose);
  return home;
}

async function startClient(home: ClientHome, env: Record<string, string> = {}) {
  const client = await startInteractive(home, { env });
  onTestFinished(client.dispose);
  return client;
}

const made = (home: ClientHome, name: string) => existsSync(join(home.project, `${name}.txt`));

/** Every program on this machine except curl. */
function pathWithoutCurl(home: ClientHome): string {
  const folder = join(home.env.TMPDIR!, 'bin');
  mkdirSync(folder);
  for (const from of (process.env.PATH ?? '').split(':').filter((path) => path && existsSync(path)))
    for (const name of readdirSync(from))
      if (name !== 'curl' && !existsSync(join(folder, name))) symlinkSync(join(from, name), join(folder, name));
  return folder;
}

const firstPending = (call: ReturnType<typeof apiCaller>, context: () => unknown): Promise<Approval> =>
  waitFor(async () => (await call('GET', '/api/approvals?status=pending')).json.approvals[0], {
    what: 'an approval',
    timeout: 60_000,
    context,
  });

test('a daemon that never comes back leaves the dialog to the keyboard and no process behind', async () => {
  const home = await startScene();
  const daemon = await startDaemonProcess({ args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir } });
  onTestFinished(daemon.dispose);
  const client = await startClient(home);
  await client.prompt('make one');
  await firstPending(apiCaller(daemon), client.lastScreen);
  await client.waitForScreen(DIALOG);
  const isAsker = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('x-groundcontrol-asker');
  const askers = (await childrenOf(client.pid)).filter(isAsker);
  expect(askers).toHaveLength(1);

  await daemon.kill('SIGKILL');
  await answerDialog(client, DIALOG, 'Enter');
  await client.waitForScreen(/Turn one is over/);
  // the hooks are gone too, so the client handles the next dialog alone
  await client.waitForStatus('idle');
  await client.prompt('make two');
  await answerDialog(client, DIALOG, 'Enter');
  const screen = await client.waitForScreen(/Turn two is over/);
  expect(screen).not.toMatch(/hook error|ECONNREFUSED/i);
  expect([made(home, 'one'), made(home, 'two')]).toEqual([true, true]);

  await client.waitForStatus('idle');
  await client.exit();
  await waitFor(() => !askers.some(isAlive), { what: 'the asking process to end with its client', timeout: 30_000 });
});

test('without curl an approval is held over http, and a killed daemon leaves it to the keyboard and says so', async () => {
  const home = await startScene();
  const PATH = pathWithoutCurl(home);
  const own = newHome();
  const up = () =>
    startDaemonProcess({ home: own, args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir, PATH } });
  let daemon = await up();
  onTestFinished(() => daemon.dispose());
  const client = await startClient(home, { PATH });
  await client.prompt('make one');
  const first = await firstPending(apiCaller(daemon), client.lastScreen);
  const allowed = await apiCaller(daemon)('POST', `/api/approvals/${first.id}/decision`, { decision: 'allow' });
  expect(allowed.json).toMatchObject({ status: 'decided', delivery: { state: 'delivered' } });
  await client.waitForScreen(/Turn one is over/);
  expect(made(home, 'one')).toBe(true);

  await client.waitForStatus('idle');
  await client.prompt('make two');
  const second = await firstPending(apiCaller(daemon), client.lastScreen);
  await client.waitForScreen(DIALOG);
  await daemon.kill('SIGKILL');
  daemon = await up();
  const call = apiCaller(daemon);
  const answer = await call('POST', `/api/approvals/${second.id}/decision`, { decision: 'allow' });
  const { status, delivery }: Approval = (await call('GET', `/api/approvals/${second.id}`)).json;
  expect([answer.status, delivery?.state]).not.toEqual([200, 'delivered']);
  // whatever its state, it is never reported as delivered
  const later = async (): Promise<Approval> => (await call('GET', `/api/approvals/${second.id}`)).json;
  if (status === 'decided')
    await expect.poll(async () => (await later()).delivery?.state, { timeout: 60_000 }).toBe('not_delivered');
  const state = async () => (await call('GET', `/api/sessions/${second.sessionId}`)).json.agentState;
  await expect.poll(state, { timeout: 60_000 }).toMatchObject({ onlyInTerminal: true });
  await answerDialog(client, DIALOG, 'Enter');
  await client.waitForScreen(/Turn two is over/);
  expect(made(home, 'two')).toBe(true);
});

test('a client without curl shows its dialog, and the board sends the operator to the terminal', async () => {
  const home = await startScene();
  const daemon = await startDaemonProcess({ args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir } });
  onTestFinished(daemon.dispose);
  const client = await startClient(home, { PATH: pathWithoutCurl(home) });
  await client.prompt('make three');
  await client.waitForScreen(DIALOG);
  const id = await client.sessionId();
  const state = async () => (await apiCaller(daemon)('GET', `/api/sessions/${id}`)).json.agentState;
  await expect.poll(state, { timeout: 60_000 }).toMatchObject({ group: 'needs_you', onlyInTerminal: true });
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await openPage(browser, { call: apiCaller(daemon), path: `/sessions/${id}` });
  await page.getByText('Answer this in its terminal').waitFor();
  await answerDialog(client, DIALOG, 'Enter');
  const screen = await client.waitForScreen(/Turn three is over/);
  expect(screen).not.toMatch(/hook error|not found/i);
  expect(made(home, 'three')).toBe(true);
});
