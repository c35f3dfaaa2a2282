import { describe, expect, test } from 'vitest';
import { contentOf, contentProblem, fieldsOf } from './form-fields.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 2, maxLength: 5 },
    mail: { type: 'string', format: 'email' },
    age: { type: 'integer', default: 7, minimum: 1, maximum: 120 },
    news: { type: 'boolean' },
    size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
    tags: { type: 'array', items: { anyOf: [{ const: 'a', title: 'Ay' }, { const: 'b' }] }, maxItems: 1 },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    link: { type: 'string', format: 'uri' },
    share: { type: 'number' },
  },
  required: ['name'],
};
const fields = fieldsOf(schema);

test('reads every kind of field', () => {
  expect(fields.map(({ name, type, input }) => `${name} ${type} ${input}`)).toEqual([
    'name text text',
    'mail text email',
    'age integer text',
    'news boolean text',
    'size choice text',
    'tags choices text',
    'day text date',
    'at text datetime-local',
    'link text url',
    'share number text',
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

test('turns a filled-in form into an answer with the requested types', () => {
  expect(contentOf(fields, { name: 'Ada', news: true, tags: ['a'] })).toEqual({
    content: { name: 'Ada', age: 7, news: true, tags: ['a'] },
  });
  expect(contentOf(fields, { name: '', mail: '' })).toEqual({ problem: 'Your name is required.' });
  expect(contentOf(fields, { name: 'Ada', age: '7.5' })).toEqual({ problem: 'age must be a whole number.' });
});

describe('an answer that does not fit the form', () => {
  test.each([
    [{}, 'Your name is required.'],
    [{ name: '' }, 'Your name is required.'],
    [{ name: 'A' }, 'Your name must be at least 2 characters.'],
    [{ name: 'Adelaide' }, 'Your name must be at most 5 characters.'],
    [{ name: 7 }, 'Your name must be text.'],
    [{ name: 'Ada', mail: 'ada' }, 'mail must be an email address.'],
    [{ name: 'Ada', age: 'old' }, 'age must be a number.'],
    [{ name: 'Ada', age: Number.NaN }, 'age must be a number.'],
    [{ name: 'Ada', age: 7.5 }, 'age must be a whole number.'],
    [{ name: 'Ada', age: 0 }, 'age must be at least 1.'],
    [{ name: 'Ada', age: 121 }, 'age must be at most 120.'],
    [{ name: 'Ada', news: 'yes' }, 'news must be true or false.'],
    [{ name: 'Ada', size: 'm' }, 'size must be one of: s (Small), l (Large).'],
    [{ name: 'Ada', tags: ['c'] }, 'tags takes any of: a (Ay), b.'],
    [{ name: 'Ada', tags: ['a', 'b'] }, 'tags must be at most 1 choices.'],
    [{ name: 'Ada', day: '31.1.2026' }, 'day must be a date: 2026-01-31.'],
    [{ name: 'Ada', day: '2026-13-31' }, 'day must be a date: 2026-01-31.'],
    [{ name: 'Ada', at: 'noon' }, 'at must be a date and time: 2026-01-31T09:30.'],
    [{ name: 'Ada', link: 'example' }, 'link must be a URL.'],
    [
      { name: 'Ada', nickname: 'A' },
      'No field "nickname". Fields: name, mail, age, news, size, tags, day, at, link, share.',
    ],
  ])('%j: %s', (content, problem) => {
    expect(contentProblem(fields, content)).toBe(problem);
  });

  test('accepts one that does', () => {
    const content = { name: 'Ada', mail: 'a@b', day: '2026-01-31', at: '2026-01-31T09:30Z', link: 'x://y', share: 0.5 };
    expect(contentProblem(fields, content)).toBeUndefined();
    expect(contentProblem([], {})).toBeUndefined();
    expect(contentProblem([], { name: 'Ada' })).toBe('No field "name". The form has none.');
  });
});
