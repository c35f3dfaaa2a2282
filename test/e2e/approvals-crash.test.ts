import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { ASK_PATH } from '../../src/contract/routes/hooks.ts';
import { HOOK_TOKEN_HEADER } from '../../src/daemon/access/guard.ts';
import { ASKER_HEADER, DELIVERED } from '../../src/daemon/drivers/terminal/settings/ask-person-command.ts';
import { apiCaller } from '../kit/call-api.ts';
import { type DaemonProcess, newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { waitFor } from '../kit/wait.ts';

const SESSIONS = 50;

/** Asks in its own way (as a hook process, blocking, by polling) and asks again after a dropped connection until it has an answer. */
interface Asker {
  session: string;
  answer: Promise<string>;
}

test(`${SESSIONS} approvals held at once outlive kill -9: each asker gets its own decision, none twice, none lost`, async () => {
  const home = newHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  let daemon: DaemonProcess | undefined = await startDaemonProcess({ home, args: ['--no-hooks'] });
  onTestFinished(async () => daemon?.kill('SIGKILL'));

  const ways = [askByHook, askBlocking, askByPolling];
  const askers: Asker[] = [];
  for (let n = 0; n < SESSIONS; n++) {
    const session = `session-${n}`;
    askers.push({ session, answer: ways[n % ways.length]!(session, () => daemon) });
  }
  const pending = async (): Promise<Approval[]> =>
    daemon ? (await apiCaller(daemon)('GET', '/api/approvals?status=pending')).json.approvals : [];
  const before = await waitFor(async () => all(await pending()), { what: 'all approvals to be held', timeout: 60_000 });

  const dead = daemon;
  daemon = undefined;
  await dead.kill('SIGKILL');
  daemon = await startDaemonProcess({ home, args: ['--no-hooks'] });
  const after = await waitFor(async () => all(await pending()), {
    what: 'all approvals to be there again',
    timeout: 60_000,
  });
  expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());

  const call = apiCaller(daemon);
  const decided = await Promise.all(
    after.map(async ({ id, sessionId }) => {
      const decision = Number(sessionId.split('-')[1]) % 2 === 0 ? 'allow' : 'deny';
      const { status } = await call('POST', `/api/approvals/${id}/decision`, { decision });
      return [sessionId, status, decision] as const;
    }),
  );
  expect(decided.every(([, status]) => status === 200)).toBe(true);
  const wanted = new Map(decided.map(([session, , decision]) => [session, decision as string]));
  for (const { session, answer } of askers) expect([session, await answer]).toEqual([session, wanted.get(session)]);
  expect(await pending()).toEqual([]);
  const { json } = await call('GET', '/api/approvals?status=decided');
  expect(json.approvals).toHaveLength(SESSIONS);
  expect(new Set(json.approvals.map(({ delivery }: Approval) => delivery?.state))).toEqual(new Set(['delivered']));
});

const all = (approvals: Approval[]) => (approvals.length === SESSIONS ? approvals : undefined);

async function askByHook(session_id: string, daemon: () => DaemonProcess | undefined): Promise<string> {
  const call = { session_id, tool_name: 'Bash', tool_input: { command: `make ${session_id}` } };
  await persist(daemon, (running) =>
    post(running, '/api/live/hook', { ...call, hook_event_name: 'PreToolUse', tool_use_id: `t-${session_id}` }),
  );
  const asker = { [ASKER_HEADER]: `asker-${session_id}` };
  const request = { ...call, hook_event_name: 'PermissionRequest' };
  const answer = await persist(daemon, (running) => post(running, ASK_PATH, request, asker));
  await persist(daemon, (running) => post(running, ASK_PATH + DELIVERED, {}, asker));
  return answer.hookSpecificOutput.decision.behavior;
}

async function askBlocking(session_id: string, daemon: () => DaemonProcess | undefined): Promise<string> {
  const ask = { session_id, tool_name: 'Bash', tool_input: {}, correlation_id: `c-${session_id}`, timeout: 600 };
  return (await persist(daemon, (running) => post(running, '/request-approval', ask))).decision;
}

async function askByPolling(session_id: string, daemon: () => DaemonProcess | undefined): Promise<string> {
  const ask = { session_id, tool_name: 'Bash', tool_input: {}, correlation_id: `c-${session_id}`, timeout: 600 };
  const { request_id } = await persist(daemon, (running) => post(running, '/create-approval-request', ask));
  for (;;) {
    const answer = await persist(daemon, async ({ url, credentials }) => {
      const headers = { [HOOK_TOKEN_HEADER]: credentials.hookToken };
      const answer = await fetch(`${url}/approval-requests/${request_id}/decision?timeout=5`, { headers });
      return (await answer.json()) as { status: string; decision: string };
    });
    if (answer.status !== 'pending') return answer.decision;
  }
}

async function post(
  { url, credentials }: DaemonProcess,
  path: string,
  body: object,
  more: Record<string, string> = {},
) {
  const headers = { [HOOK_TOKEN_HEADER]: credentials.hookToken, 'content-type': 'application/json', ...more };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return (text ? JSON.parse(text) : undefined) as any;
}

async function persist<T>(
  daemon: () => DaemonProcess | undefined,
  ask: (running: DaemonProcess) => Promise<T>,
): Promise<T> {
  return waitFor(
    async () => {
      const running = daemon();
      return running ? { answer: await ask(running) } : undefined;
    },
    { what: 'an answer', timeout: 120_000 },
  ).then(({ answer }) => answer);
}
