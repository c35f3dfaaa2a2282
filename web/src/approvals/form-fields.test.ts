import { expect, test } from 'vitest';
import { contentOf, fieldsOf } from './form-fields.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name' },
    mail: { type: 'string', format: 'email' },
    age: { type: 'integer', default: 7 },
    news: { type: 'boolean' },
    size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
    tags: { type: 'array', items: { anyOf: [{ const: 'a', title: 'Ay' }, { const: 'b' }] } },
  },
  required: ['name'],
};

test('reads every kind of field', () => {
  const fields = fieldsOf(schema);
  expect(fields.map(({ name, type, input }) => `${name} ${type} ${input}`)).toEqual([
    'name text text',
    'mail text email',
    'age integer text',
    'news boolean text',
    'size choice text',
    'tags choices text',
  ]);
  expect(fields[4]?.options).toEqual([
    { value: 's', label: 'Small' },
    { value: 'l', label: 'Large' },
  ]);
  expect(fields[5]?.options).toEqual([
    { value: 'a', label: 'Ay' },
    { value: 'b', label: 'b' },
  ]);
  expect(fieldsOf({ properties: 'none' })).toEqual([]);
});

test('answers in the types that were asked for, and says what is missing', () => {
  const fields = fieldsOf(schema);
  expect(contentOf(fields, {})).toEqual({ problem: 'Your name is needed.' });
  expect(contentOf(fields, { name: 'Ada', age: '7.5' })).toEqual({ problem: 'age is a whole number.' });
  expect(contentOf(fields, { name: 'Ada', news: true, tags: ['a'] })).toEqual({
    content: { name: 'Ada', age: 7, news: true, tags: ['a'] },
  });
});
