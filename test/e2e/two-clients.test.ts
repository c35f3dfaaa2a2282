import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { startInteractive } from '../kit/real-client.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

test("two clients on one session: one client's actions or exit neither end the session nor close the other's requests", async () => {
  const { client, home, call } = await startDaemonWithClient([
    { when: 'say hello', reply: [say('Hello.')] },
    { when: 'make one', reply: [callTool('Bash', { command: 'touch one.txt' }), say('Made one.')] },
    { when: 'make two', reply: [callTool('Bash', { command: 'touch two.txt' }), say('Made two.')] },
    { when: 'just talk', reply: [say('Just talking.')] },
  ]);
  const approvals = async (): Promise<Approval[]> =>
    (await call('GET', '/api/approvals?status=pending')).json.approvals;
  const made = (name: string) => existsSync(join(home.project, name));
  const waitForApprovals = (count: number) =>
    waitFor(async () => ((await approvals()).length === count ? approvals() : undefined), {
      what: `${count} approvals`,
      timeout: 60_000,
      context: client.lastScreen,
    });

  await client.prompt('say hello');
  await client.waitForScreen(/Hello\./);
  const id = await client.sessionId();
  await client.prompt('make one');
  const [one] = await waitForApprovals(1);

  const other = await startInteractive(home, { args: ['--resume', id] });
  onTestFinished(other.dispose);
  expect(await other.sessionId()).toBe(id);
  // its own turn, from start to end
  await other.prompt('just talk');
  await other.waitForScreen(/Just talking/);
  expect((await approvals()).map((approval) => approval.id)).toEqual([one!.id]);
  expect((await call('GET', `/api/sessions/${id}`)).json.agentState).toMatchObject({ state: 'needs_permission' });

  // both ask, and each gets its own answer
  await other.prompt('make two');
  const both = await waitForApprovals(2);
  const two = both.find((approval) => approval.id !== one!.id)!;
  const decided = await call('POST', `/api/approvals/${two.id}/decision`, { decision: 'allow' });
  expect(decided.json).toMatchObject({ delivery: { state: 'delivered' } });
  await other.waitForScreen(/Made two/);
  expect([made('one.txt'), made('two.txt')]).toEqual([false, true]);

  await other.exit();
  await waitFor(async () => (await call('GET', `/api/sessions/${id}`)).json.pid === client.pid, { what: 'one client' });
  expect((await call('GET', `/api/sessions/${id}`)).json).toMatchObject({
    endedAt: null,
    agentState: { state: 'needs_permission' },
  });
  const last = await call('POST', `/api/approvals/${one!.id}/decision`, { decision: 'allow' });
  expect(last).toMatchObject({ status: 200, json: { delivery: { state: 'delivered' } } });
  await client.waitForScreen(/Made one/);
  expect(made('one.txt')).toBe(true);
});
