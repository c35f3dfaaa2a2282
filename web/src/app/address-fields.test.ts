import { expect, it } from 'vitest';
import { oneOf, searchOf, text } from './address-fields.ts';

const read = searchOf({ view: oneOf(['board', 'grid']), filter: text });

it('keeps what it knows of an address', () => {
  expect(read({ view: 'grid', filter: 'project:api' })).toEqual({ view: 'grid', filter: 'project:api' });
});

it('drops what is bad or unknown', () => {
  expect(read({ view: 'wall', filter: 7, other: 'x' })).toEqual({});
  expect(read({ view: ['grid'], filter: null })).toEqual({});
});
