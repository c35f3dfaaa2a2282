import { expect, it } from 'vitest';
import { insertFilter } from './insert-filter.ts';

it('puts a filter behind what is there', () => {
  expect(insertFilter('', 'project:')).toBe('project:');
  expect(insertFilter('flaky test ', 'kind:prompt')).toBe('flaky test kind:prompt');
  expect(insertFilter('flaky branch:', 'project:')).toBe('flaky project:');
});
