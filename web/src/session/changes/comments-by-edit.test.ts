import { expect, it } from 'vitest';
import type { DiffComment } from '../../../../src/contract/comments.ts';
import type { FileChanges } from '../../../../src/contract/messages.ts';
import { commentsByEdit } from './comments-by-edit.ts';

const comment = (id: string, line: number, code: string, side: 'old' | 'new' = 'new'): DiffComment => ({
  id,
  subject: { kind: 'session', id: 's' },
  path: 'a.ts',
  side,
  line,
  code,
  commit: null,
  text: id,
  by: 'me',
  at: 1,
  sent: null,
});

const edit = (toolUseId: string, text: string): FileChanges['changes'][number] => ({
  messageId: toolUseId,
  toolUseId,
  agentId: null,
  tool: 'Edit',
  at: 1,
  added: 1,
  removed: 0,
  clipped: false,
  hunks: [{ lines: [{ kind: 'added', oldLine: null, newLine: 3, text }] }],
});

it('shows a comment at the latest edit that has its line, once', () => {
  const changes = [edit('one', 'a'), edit('two', 'b'), edit('three', 'a')];
  const [onA, onB, gone] = [comment('a', 3, 'a'), comment('b', 3, 'b'), comment('c', 9, 'c')];
  expect(commentsByEdit([onA, onB, gone], changes)).toEqual({ byEdit: [[], [onB], [onA]], stale: [gone] });
});
