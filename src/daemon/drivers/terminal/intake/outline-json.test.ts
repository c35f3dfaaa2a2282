import fc from 'fast-check';
import { expect, it } from 'vitest';
import { outlineJson } from './outline-json.ts';

const outline = (value: unknown) => outlineJson(Buffer.from(JSON.stringify(value)));

it('reads top-level strings and no nested ones', () => {
  const { strings } = outline({ a: 'x"\\', n: 1, tool_input: { a: 'below', list: [{ a: 'deep' }] }, é: 'ü', last: '' });
  expect(Object.fromEntries(strings)).toEqual({ a: 'x"\\', é: 'ü', last: '' });
});

it('counts values and nesting', () => {
  expect(outline({ a: [1, 2, { b: null }] })).toMatchObject({ values: 5, depth: 3 });
  expect(outlineJson(Buffer.from('['.repeat(5000))).depth).toBe(5000);
});

it('agrees with JSON.parse on the top-level strings of any object', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()), (value) => {
      const own = Object.entries(value).filter(([, each]) => typeof each === 'string');
      expect([...outline(value).strings].sort()).toEqual(own.sort());
    }),
  );
});

it('reads truncated text', () => {
  const text = Buffer.from('{"hook_event_name":"PreToolUse","tool_input":{"content":"aaa');
  expect(outlineJson(text).strings.get('hook_event_name')).toBe('PreToolUse');
});
