import { expect, test } from 'vitest';
import { checkSchema, checkValue } from './json-schema.ts';

test('reports which part of a value does not match', async () => {
  const schema = {
    type: 'object',
    properties: { files: { type: 'array', items: { type: 'string', format: 'uri' } }, mode: { enum: ['a', 'b'] } },
    required: ['files'],
    additionalProperties: false,
  };
  expect(await checkValue(schema, { files: ['https://example.com'], mode: 'a' })).toEqual([]);
  expect(await checkValue(schema, { files: ['https://example.com', 'x y'], mode: 'c', more: 1 })).toEqual([
    { path: ['more'], message: 'is not a known field' },
    { path: ['files', 1], message: 'must match format "uri"' },
    { path: ['mode'], message: 'must be equal to one of the allowed values: a, b' },
  ]);
  expect(await checkValue(schema, {})).toEqual([{ path: [], message: "must have required property 'files'" }]);
});

test('supports 2020-12 schemas', async () => {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'number' }] };
  expect(await checkValue(schema, [1])).toEqual([]);
  expect(await checkValue(schema, ['1'])).toEqual([{ path: [0], message: 'must be number' }]);
});

test('never fetches a reference', async () => {
  expect(await checkSchema({ $ref: 'http://127.0.0.1:9/schema.json' })).toEqual([
    { path: [], message: expect.stringContaining("can't resolve reference") },
  ]);
});

test('aborts a runaway pattern and keeps working afterwards', async () => {
  const slow = { type: 'string', pattern: '^(a+)+$' };
  expect(await checkSchema(slow)).toEqual([]);
  expect(await checkValue(slow, `${'a'.repeat(40)}!`, { limitMs: 500 })).toEqual([
    { path: [], message: 'it takes more than 0.5 s to check' },
  ]);
  expect(await checkValue(slow, 'aaa')).toEqual([]);
});
