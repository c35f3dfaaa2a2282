import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { historyDetail } from './history.ts';
import { answer, lines, makeIndex, prompt } from './index-for-test.ts';

const NOBODY = 65_534;

/** Root can read everything, so it drops privileges for the call. */
async function asOrdinaryUser(run: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(NOBODY);
  try {
    await run();
  } finally {
    process.seteuid?.(0);
  }
}

test('counts a session in two folders once', async () => {
  const index = makeIndex();
  const call = {
    type: 'tool_use',
    id: 't1',
    name: 'Edit',
    input: { file_path: '/w/a', old_string: 'x', new_string: 'y' },
  };
  const first = [
    prompt('hello', { uuid: 'p1' }),
    answer({ id: 'a', uuid: 'a1', content: [call] }),
    prompt('', {
      uuid: 'r1',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
    }),
  ];
  index.write('p/s1.jsonl', lines(...first));
  index.write('q/s1.jsonl', lines(...first, prompt('more', { uuid: 'p2' }), answer({ id: 'b', uuid: 'b1' })));
  index.write('p/s1/subagents/agent-x.jsonl', lines(answer({ id: 'x', uuid: 'x1', isSidechain: true })));
  index.write('q/s1/subagents/agent-x.jsonl', lines(answer({ id: 'x', uuid: 'x1', isSidechain: true })));
  await index.scan();
  const session = await historyDetail(index.reader(), { id: 's1', live: [] });
  expect(session).toMatchObject({
    prompts: 2,
    messages: 5,
    toolCalls: 1,
    linesAdded: 1,
    linesRemoved: 1,
    subAgents: 1,
    toolCounts: { Edit: 1 },
    files: [{ path: '/w/a', edits: 1 }],
    tokens: { inputTokens: 9 },
    inherited: null,
    transcriptPath: index.path('q/s1.jsonl'),
  });
  expect(session.subAgentList).toHaveLength(1);
});

test('reads a linked project folder, and none twice', async () => {
  const index = makeIndex();
  const elsewhere = join(index.folder, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 's1.jsonl'), lines(answer({ id: 'a' })));
  index.write('p/s2.jsonl', lines(answer({ id: 'b', sessionId: 's2' })));
  symlinkSync(elsewhere, index.path('linked'));
  symlinkSync(elsewhere, index.path('linked-again'));
  symlinkSync(index.path('p'), index.path('to-a-neighbor'));
  symlinkSync(index.folder, index.path('to-what-is-above'));
  symlinkSync(join(index.folder, 'nowhere'), index.path('to-nothing'));
  await index.scan();
  expect(index.all('SELECT path, session_id AS id FROM files ORDER BY id')).toEqual([
    { path: index.path('linked/s1.jsonl'), id: 's1' },
    { path: index.path('p/s2.jsonl'), id: 's2' },
  ]);
  writeFileSync(join(elsewhere, 's1.jsonl'), lines(answer({ id: 'a' }), answer({ id: 'c' })));
  await index.touch(index.path('linked/s1.jsonl'));
  expect(index.totals()).toMatchObject([{ messages: 3 }]);
});

test('reports unreadable files, and reads them once it can', async () => {
  const index = makeIndex();
  chmodSync(index.folder, 0o755);
  const file = index.write('p/s1.jsonl', lines(answer({ id: 'a' })));
  index.write('closed/s2.jsonl', lines(answer({ id: 'b', sessionId: 's2' })));
  index.write('p/s3.jsonl', lines(answer({ id: 'c', sessionId: 's3' })));
  chmodSync(file, 0);
  chmodSync(index.path('closed'), 0);
  await asOrdinaryUser(() => index.scan());
  expect(index.status().unreadable).toEqual({
    count: 2,
    paths: expect.arrayContaining([
      { path: file, reason: 'EACCES' },
      { path: index.path('closed'), reason: 'EACCES' },
    ]),
  });
  expect(index.totals()).toMatchObject([{ messages: 1 }]);
  await asOrdinaryUser(() => index.retryUnreadable());
  expect(index.status().unreadable.count).toBe(2);
  chmodSync(file, 0o644);
  await asOrdinaryUser(() => index.retryUnreadable());
  expect(index.status().unreadable.count).toBe(1);
  expect(index.totals()).toMatchObject([{ messages: 2 }]);
  chmodSync(index.path('closed'), 0o755);
  await asOrdinaryUser(() => index.retryUnreadable());
  expect(index.status().unreadable.count).toBe(0);
  expect(index.totals()).toMatchObject([{ messages: 3 }]);
});
