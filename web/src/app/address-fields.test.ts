import { expect, it } from 'vitest';
import { oneOf, searchOf, text } from './address-fields.ts';

const read = searchOf({ view: oneOf(['board', 'grid']), filter: text });

it('keeps known fields', () => {
  expect(read({ view: 'grid', filter: 'project:api' })).toEqual({ view: 'grid', filter: 'project:api' });
});

it('drops invalid and unknown ones', () => {
  expect(read({ view: 'wall', filter: 7, other: 'x' })).toEqual({});
  expect(read({ view: ['grid'], filter: null })).toEqual({});
});
