import { expect, test } from 'vitest';
import { addressOf } from './address.ts';
import * as rules from './routes/rules.ts';

test('fills in parameters and omits absent ones', () => {
  expect(addressOf(rules.getRule, { params: { id: 'a/b c' } })).toBe('/api/rules/a%2Fb%20c');
  expect(addressOf(rules.listRules, { query: { after: undefined } })).toBe('/api/rules');
  expect(addressOf(rules.listRules, { query: { q: 'a&b', limit: 3 } })).toBe('/api/rules?q=a%26b&limit=3');
});
