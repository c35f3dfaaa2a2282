import { expect, test } from 'vitest';
import { toStreamMessage } from './stream.ts';

test('reads a message by its event, and passes over one that it does not know', () => {
  expect(toStreamMessage('session_removed', { sessionId: 's', more: 1 })).toEqual({
    event: 'session_removed',
    data: { sessionId: 's' },
  });
  expect(() => toStreamMessage('session_removed', {})).toThrow();
  expect(toStreamMessage('tea_time', {})).toBeUndefined();
  expect(toStreamMessage('toString', {})).toBeUndefined();
});
