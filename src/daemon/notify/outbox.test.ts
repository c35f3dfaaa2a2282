import { expect, it } from 'vitest';
import type { LiveSession } from '../../contract/sessions.ts';
import { anApproval, type NotifyBench, notifyBench } from './notify-for-test.ts';

const HOOK = { kind: 'webhook' as const, url: 'https://hooks.example/1' };

function decide(bench: NotifyBench, id: string): void {
  const [approval] = bench.pending.splice(
    bench.pending.findIndex((one) => one.id === id),
    1,
  );
  const decision = { decision: 'allow' as const, by: 'Phone', at: bench.clock.now, waitedMs: 1 };
  bench.settled.push({ ...approval!, status: 'decided', decision });
}

it('sends one notification per approval once it has settled, and withdraws it when it is decided', async () => {
  const bench = notifyBench();
  bench.addChannel({ target: HOOK });
  bench.pending.push(anApproval('a1', { createdAt: bench.clock.now }));
  await bench.step();
  expect(bench.sent).toEqual([]);
  await bench.step(5);
  expect(bench.sent.map(({ message }) => [message.part, message.title])).toEqual([['notice', 'Permission needed']]);
  decide(bench, 'a1');
  await bench.step(3);
  expect(bench.sent.map(({ message }) => [message.part, message.title])).toEqual([
    ['notice', 'Permission needed'],
    ['settled', 'Allowed: Permission needed'],
  ]);
  expect(bench.sent[1]?.message).toMatchObject({ tag: bench.sent[0]?.message.tag, ref: 'r1', outcome: 'Allowed' });
});

it('says nothing of an approval that was decided before it settled', async () => {
  const bench = notifyBench();
  bench.addChannel({ target: HOOK });
  bench.pending.push(anApproval('a1', { createdAt: bench.clock.now }));
  await bench.step();
  decide(bench, 'a1');
  await bench.step(5);
  expect(bench.sent).toEqual([]);
});

it('escalates to the next channel only while the request is unanswered', async () => {
  const bench = notifyBench();
  bench.addChannel({ name: 'Desk' });
  bench.addChannel({ name: 'Phone', target: HOOK, delaySeconds: 60 });
  bench.pending.push(anApproval('a1'), anApproval('a2'));
  await bench.step(30);
  expect(bench.sent.map(({ channel }) => channel)).toEqual(['desktop', 'desktop']);
  decide(bench, 'a1');
  await bench.step(60);
  expect(bench.sent.map(({ channel, message }) => [channel, message.approvalId])).toEqual([
    ['desktop', 'a1'],
    ['desktop', 'a2'],
    ['webhook', 'a2'],
  ]);
});

it('says nothing of a dialog that the client shows a moment longer than its answer takes', async () => {
  const bench = notifyBench();
  bench.addChannel({ target: HOOK });
  bench.pending.push(anApproval('a1'));
  bench.sessions.push({
    id: 's1',
    attention: 'settled',
    stateSince: bench.clock.now,
    title: 'Fix it',
    projectDisplayName: 'api',
    projectPath: '/work/api',
    agentState: { group: 'needs_you', state: 'needs_permission', label: 'Needs permission: Bash' },
  } as LiveSession);
  await bench.step(5);
  decide(bench, 'a1');
  await bench.step(20);
  expect(bench.sent.map(({ message }) => message.part)).toEqual(['notice', 'settled']);
  // the answer never arrived
  await bench.step(20);
  expect(bench.sent.map(({ message }) => message.part)).toEqual(['notice', 'settled', 'notice']);
});

it('escalates by order: the next one after the last was sent, at once if that fails, over restarts and a clock set back', async () => {
  let bench = notifyBench();
  const phone = bench.addChannel({ name: 'Phone', target: HOOK });
  const ntfy = bench.addChannel({
    name: 'Tablet',
    target: { kind: 'ntfy', url: 'https://ntfy.example/t' },
    after: phone.id,
    delaySeconds: 60,
  });
  bench.addChannel({ name: 'Desk', after: ntfy.id, delaySeconds: 60 });
  bench.pending.push(anApproval('a1'));
  for (let second = 0; second < 250; second++) {
    await bench.step();
    bench = bench.restart();
    if (second === 20) bench.clock.now -= 30_000;
  }
  const channels = () => bench.sent.map(({ channel }) => channel);
  expect(channels()).toEqual(['webhook', 'ntfy', 'desktop']);
  decide(bench, 'a1');
  await bench.step(3);

  // the first channel reaches no one, which must not delay the second
  bench.sent.length = 0;
  bench.answers.push({ ok: false, error: '410 Gone', final: true, broken: true });
  bench.pending.push(anApproval('a2'));
  await bench.step(5);
  expect(channels()).toEqual(['webhook', 'ntfy']);
  decide(bench, 'a2');
  await bench.step(120);
  expect(channels()).toEqual(['webhook', 'ntfy']);
});

it('does not escalate past a channel that is quiet or whose operator is at the page', async () => {
  const bench = notifyBench();
  const first = bench.addChannel({ name: 'Phone', target: HOOK });
  bench.addChannel({ name: 'Desk', after: first.id, delaySeconds: 10, whileActive: true });
  bench.presence.level = 'active';
  bench.pending.push(anApproval('a1'));
  await bench.step(60);
  expect(bench.sent).toEqual([]);
  bench.presence.level = 'none';
  await bench.step(40);
  expect(bench.sent.map(({ channel }) => channel)).toEqual(['webhook', 'desktop']);
});

it('refuses channels that escalate in a circle', () => {
  const bench = notifyBench();
  const first = bench.addChannel({ name: 'One' });
  const second = bench.addChannel({ name: 'Two', after: first.id });
  expect(() => bench.channels.update(first.id, { after: second.id })).toThrow(/can't escalate from/);
  expect(() => bench.channels.update(first.id, { after: first.id })).toThrow(/can't escalate from/);
  expect(() => bench.channels.update(first.id, { after: 'absent' })).toThrow(/No channel absent/);
});

it('repeats nothing and loses nothing over restarts, also in the middle of an escalation', async () => {
  let bench = notifyBench();
  bench.addChannel({ name: 'Desk' });
  bench.addChannel({ name: 'Phone', target: HOOK, delaySeconds: 10 });
  bench.pending.push(anApproval('a1'), anApproval('a2'), anApproval('a3'));
  for (let second = 0; second < 20; second++) {
    await bench.step();
    bench = bench.restart();
  }
  const told = bench.sent.map(({ channel, message }) => `${channel} ${message.approvalId}`).sort();
  expect(told).toEqual(['desktop a1', 'desktop a2', 'desktop a3', 'webhook a1', 'webhook a2', 'webhook a3']);
});

it('retries with the same id, honors Retry-After, and eventually gives up', async () => {
  const bench = notifyBench();
  bench.addChannel({ target: HOOK });
  bench.pending.push(anApproval('a1'));
  bench.answers.push({ ok: false, error: 'HTTP 503' }, { ok: false, error: 'HTTP 429', retryAfterMs: 100_000 });
  await bench.step(10);
  expect(bench.sent).toHaveLength(2);
  await bench.step(95);
  expect(bench.sent).toHaveLength(2);
  await bench.step(10);
  expect(new Set(bench.sent.map(({ message }) => message.id)).size).toBe(1);
  expect(bench.all()).toMatchObject([{ state: 'accepted', attempts: 3, error: null }]);

  bench.pending.push(anApproval('a2'));
  for (let index = 0; index < 11; index++) bench.answers.push({ ok: false, error: 'HTTP 500' });
  for (let hour = 0; hour < 40; hour++) {
    bench.clock.now += 3_600_000;
    await bench.step();
  }
  expect(bench.all()[1]).toMatchObject({ state: 'failed', attempts: 11, error: 'HTTP 500' });
  expect(bench.failed).toEqual(['HTTP 500']);
  const retried = bench.outbox.retry(bench.all()[1]!.id);
  expect(retried?.state).toBe('waiting');
  await bench.step();
  expect(bench.all()[1]?.state).toBe('accepted');
});

it('marks a channel as broken when its service says so, until a message gets through', async () => {
  const bench = notifyBench();
  const { id } = bench.addChannel({ target: HOOK });
  bench.pending.push(anApproval('a1'));
  bench.answers.push({ ok: false, error: 'HTTP 410', final: true, broken: true });
  await bench.step(2);
  expect(bench.channels.get(id).broken).toBe('HTTP 410');
  bench.pending.push(anApproval('a2'));
  await bench.step(2);
  expect(bench.channels.get(id).broken).toBe(null);
});

it('holds a notification back in quiet hours and while you are at the page, and sends it afterwards', async () => {
  const bench = notifyBench();
  bench.addChannel({ target: HOOK, quietHours: { from: '09:00', to: '10:05', timeZone: 'UTC' } });
  bench.pending.push(anApproval('a1'));
  await bench.step(200);
  expect(bench.sent).toEqual([]);
  bench.presence.level = 'active';
  await bench.step(120);
  expect(bench.sent).toEqual([]);
  bench.presence.level = 'idle';
  await bench.step(12);
  expect(bench.sent).toHaveLength(1);
});

it('keeps its delays when the clock of the machine is set back', async () => {
  const bench = notifyBench();
  bench.addChannel({ target: HOOK, delaySeconds: 30 });
  bench.pending.push(anApproval('a1'));
  await bench.step(5);
  bench.clock.now -= 3_600_000;
  await bench.step(40);
  expect(bench.sent).toHaveLength(1);
});

it('takes a receipt with its own token only, also before the service has answered', async () => {
  const bench = notifyBench();
  bench.addChannel({ target: HOOK });
  bench.pending.push(anApproval('a1'));
  await bench.step(2);
  const [one] = bench.all();
  expect(bench.outbox.confirm(one!.id, 'guess')).toBe(false);
  expect(bench.outbox.confirm('no-such-id', one!.token)).toBe(false);
  expect(bench.outbox.confirm(one!.id, one!.token)).toBe(true);
  expect(bench.all()).toMatchObject([{ state: 'shown', shownAt: bench.clock.now }]);
});

it('sends a channel only the kinds it is for', async () => {
  const bench = notifyBench();
  bench.addChannel({ kinds: ['question'] });
  bench.addChannel({ target: HOOK, projects: ['/work/api'] });
  bench.addChannel({ target: HOOK, enabled: false });
  bench.pending.push(anApproval('a1'));
  await bench.step(5);
  expect(bench.sent).toEqual([]);
});
