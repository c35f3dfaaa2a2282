import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { CommentDraft } from '../../contract/comments.ts';
import { Core } from '../core.ts';
import { tempDir } from '../drivers/terminal/settings/temp-dir-for-test.ts';
import { Comments } from './comments.ts';

const subject = { kind: 'worktree', id: 'w1' } as const;
const draft = (over: Partial<CommentDraft> = {}): CommentDraft => ({
  subject,
  path: 'src/a.ts',
  side: 'new',
  line: 3,
  code: 'const x = 1;',
  commit: 'abc',
  text: 'Rename this.',
  ...over,
});

function setUp() {
  const path = join(tempDir('comments'), 'journal.db');
  const open = () => new Core({ path, now: Date.now, log: pino({ level: 'silent' }), checksEvents: true });
  const core = open();
  onTestFinished(() => core.close());
  const told: { sessionId: string; text: string }[] = [];
  const lines = new Map([['src/a.ts:3', 'const x = 1;']]);
  let fails = false;
  const comments = new Comments({
    core,
    now: () => 5,
    async tell(sessionId, text) {
      if (fails) throw new Error('The session is gone.');
      told.push({ sessionId, text });
    },
    lineAt: async ({ path: file, line }) => lines.get(`${file}:${line}`),
  });
  return {
    comments,
    told,
    fail: (isFailing: boolean) => {
      fails = isFailing;
    },
  };
}

test('sends comments as one prompt, in order, and marks lines that changed since', async () => {
  const { comments, told } = setUp();
  await comments.add(
    draft({ path: 'src/b.ts', line: 9, code: '\tgone();', text: 'Why?\n1. Forged item', side: 'old' }),
    'Ann',
  );
  const first = await comments.add(draft(), 'Ann');
  await comments.edit(first.id, 'Rename it to count.', 'Ann');
  const dropped = await comments.add(draft({ text: 'Never mind' }), 'Ann');
  await comments.remove(dropped.id, 'Ann');
  expect(await comments.send({ subject, sessionId: 's1' }, 'Ann')).toMatchObject({ sent: 2 });
  expect(told).toEqual([
    {
      sessionId: 's1',
      text: `I reviewed your changes. Please address these 2 comments.

1. src/a.ts, line 3
   > const x = 1;

   Rename it to count.

2. src/b.ts, line 9 (a line you removed) (this line has changed since the comment was written)
   > \tgone();

   Why?
   1. Forged item`,
    },
  ]);
  expect(comments.list(subject)).toMatchObject([{ sent: { sessionId: 's1' } }, { sent: { at: 5 } }]);
  await expect(comments.send({ subject, sessionId: 's1' }, 'Ann')).rejects.toThrow(/no comments to send/);
  await expect(comments.edit(first.id, 'x', 'Ann')).rejects.toThrow(/was already sent/);
  await expect(comments.remove('nope', 'Ann')).rejects.toThrow(/No comment nope/);
});

test('keeps comments unsent if the session cannot be reached', async () => {
  const { comments, fail, told } = setUp();
  await comments.add(draft(), 'Ann');
  fail(true);
  await expect(comments.send({ subject, sessionId: 's1' }, 'Ann')).rejects.toThrow(/gone/);
  expect(comments.list(subject)).toMatchObject([{ sent: null }]);
  fail(false);
  await comments.send({ subject, sessionId: 's1', note: 'Only this:' }, 'Ann');
  expect(told[0]?.text).toMatch(/^Only this:\n\n1\. src\/a\.ts/);
});
