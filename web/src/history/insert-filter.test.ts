import { expect, it } from 'vitest';
import { insertFilter } from './insert-filter.ts';

it('appends a filter to the query', () => {
  expect(insertFilter('', 'project:')).toBe('project:');
  expect(insertFilter('flaky test ', 'kind:prompt')).toBe('flaky test kind:prompt');
  expect(insertFilter('flaky branch:', 'project:')).toBe('flaky project:');
});
