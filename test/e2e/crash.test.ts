import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HOOK_TOKEN_HEADER } from '../../src/daemon/access/guard.ts';
import { Journal, type JournalEvent } from '../../src/daemon/journal/journal.ts';
import { apiCaller } from '../kit/call-api.ts';
import { type DaemonProcess, newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { playFleet } from '../kit/simulator.ts';
import { openSse } from '../kit/sse-client.ts';

const KILLS = 20;
const RATE = 500;

test(`kill -9 under ${RATE} events/s, ${KILLS} times: nothing acknowledged is lost, nothing is seen twice`, async () => {
  const home = newHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const acknowledged: string[] = [];
  const seen: number[] = [];
  let lastEventId: number | undefined;
  let n = 0;

  for (let kill = 0; kill < KILLS; kill++) {
    const daemon = await startDaemonProcess({ home, args: ['--no-hooks'] });
    const stream = await openSse({
      url: daemon.url,
      token: daemon.credentials.localToken,
      ...(lastEventId === undefined ? {} : { lastEventId }),
    });
    const stop = new AbortController();
    // a different moment each time, by acknowledged posts: the fleet ends with the daemon, so its last posts fail
    let untilKill = 30 + kill * 7;
    await playFleet({
      sessions: 40,
      rate: RATE,
      seed: kill + 1,
      signal: stop.signal,
      post: async (payload) => {
        const mark = `${kill}:${n++}`;
        await post(daemon, { ...payload, mark }).then(
          () => {
            acknowledged.push(mark);
            if (--untilKill === 0) daemon.child.kill('SIGKILL');
          },
          () => stop.abort(),
        );
      },
    });
    await daemon.kill('SIGKILL');
    await expect.poll(() => stream.isClosed).toBe(true);
    for (const { id, event } of stream.messages) {
      // the first connection starts with a summary, which carries its current position
      if (id === undefined || event === 'summary') continue;
      seen.push(id);
      lastEventId = id;
    }
  }

  const last = await startDaemonProcess({ home, args: ['--no-hooks'] });
  const stream = await openSse({ url: last.url, token: last.credentials.localToken, lastEventId: lastEventId ?? 0 });
  const { seq } = (await apiCaller(last)('GET', '/api/status')).json;
  await expect.poll(() => stream.messages.some(({ id = 0, event }) => event !== 'summary' && id >= seq)).toBe(true);
  seen.push(...stream.messages.flatMap(({ id, event }) => (id === undefined || event === 'summary' ? [] : [id])));
  stream.close();
  await last.kill('SIGTERM');

  const events = readJournal(join(last.dataDir, 'journal.db'));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const marks = events.flatMap(({ payload }) => (typeof payload.mark === 'string' ? [payload.mark] : []));
  expect(new Set(marks).size).toBe(marks.length);
  const written = new Set(marks);
  expect(acknowledged.filter((mark) => !written.has(mark))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(KILLS * 20);
  const inOrder = marks.map((mark) => mark.split(':').map(Number));
  expect(inOrder.map(([kill]) => kill)).toEqual([...inOrder.map(([kill]) => kill)].sort((a, b) => a! - b!));

  // positions below the first were written by the start itself
  const [first = 0] = seen;
  expect(seen).toEqual(seen.map((_, index) => first + index));
  expect(seen.at(-1)).toBeGreaterThanOrEqual(seq);
  expect(seen.length).toBeGreaterThan(KILLS * 20);
});

async function post({ url, credentials }: DaemonProcess, payload: unknown): Promise<void> {
  const headers = { [HOOK_TOKEN_HEADER]: credentials.hookToken };
  const answer = await fetch(`${url}/api/live/hook`, { method: 'POST', headers, body: JSON.stringify(payload) });
  // acknowledged once the complete response arrived
  expect(await answer.text()).toBe('{}');
}

function readJournal(path: string): JournalEvent[] {
  const journal = new Journal({ path, now: Date.now, onCommit: () => undefined });
  const events = [...journal.eventsAfter(0)];
  journal.close();
  return events;
}
