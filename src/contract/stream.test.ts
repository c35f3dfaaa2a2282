import { expect, test } from 'vitest';
import { toStreamMessage } from './stream.ts';

test('parses a message by its event, and skips unknown ones', () => {
  expect(toStreamMessage('session_removed', { sessionId: 's', more: 1 })).toEqual({
    event: 'session_removed',
    data: { sessionId: 's' },
  });
  expect(() => toStreamMessage('session_removed', {})).toThrow();
  expect(toStreamMessage('tea_time', {})).toBeUndefined();
  expect(toStreamMessage('toString', {})).toBeUndefined();
});
