import { expect, test } from 'vitest';
import { formatRef, parseRef } from './session-ref.ts';

const machine = 'm-0123456789abcdef';

test.each([
  ['a bare id', 'abc', { machine: null, id: 'abc' }],
  ['an id of another machine', `abc@${machine}`, { machine, id: 'abc' }],
  ['an id with an @ of its own', 'me@example.com', { machine: null, id: 'me@example.com' }],
  ['an id that holds a ref', `a@${machine}@${machine}`, { machine, id: `a@${machine}` }],
  ['a machine without an id', `@${machine}`, { machine: null, id: `@${machine}` }],
])('parses and formats %s unchanged', (_, text, ref) => {
  expect(parseRef(text)).toEqual(ref);
  expect(formatRef(ref)).toBe(text);
});
