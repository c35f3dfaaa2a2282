import { expect, test } from 'vitest';
import { readFields } from './read-fields.ts';

const schema = {
  properties: {
    name: { type: 'string', title: 'Your name', description: 'As in your passport' },
    age: { type: 'integer', default: 30 },
    news: { type: 'boolean' },
    size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
    tags: { type: 'array', items: { enum: ['red', 'blue'] } },
  },
  required: ['name'],
};

test('fields are given as name=value, choices by value or by label', () => {
  expect(readFields(schema, ['name=Ada=Byron', 'age=7', 'news=yes', 'size=large', 'tags=red, blue'])).toEqual({
    name: 'Ada=Byron',
    age: 7,
    news: true,
    size: 'l',
    tags: ['red', 'blue'],
  });
  expect(readFields(schema, ['name=Ada'])).toEqual({ name: 'Ada', age: 30, news: false });
});

test('refuses missing and invalid fields with the list of fields', () => {
  const fields =
    '  name=…  text, required. Your name: As in your passport\n  age=…  whole number, default 30\n' +
    '  news=…  true or false\n  size=…  one of s (Small), l (Large)\n  tags=…  any of red, blue';
  expect(() => readFields(schema, ['age=7'])).toThrow(`Your name is required.\n${fields}`);
  expect(() => readFields(schema, ['Ada'])).toThrow(`"Ada" isn't name=value.\n${fields}`);
  expect(() => readFields(schema, ['name=Ada', 'nick=A'])).toThrow('The form has no field "nick".');
  expect(() => readFields(schema, ['name=Ada', 'age=old'])).toThrow('age must be a number.');
  expect(() => readFields(schema, ['name=Ada', 'news=perhaps'])).toThrow('news must be true or false.');
  expect(() => readFields(schema, ['name=Ada', 'size=m'])).toThrow('size must be one of: s (Small), l (Large).');
  expect(() => readFields(schema, ['name=Ada', 'tags=green'])).toThrow('tags takes any of: red, blue.');
  expect(() => readFields({}, ['name=Ada'])).toThrow('This form has no fields.');
});
