import { expect, test } from 'vitest';
import { compareVersions } from './compare-versions.ts';

test.each([
  ['2.1.9', '2.1.63', -1],
  ['2.1.325', '2.1.63', 1],
  ['2.1.63', '2.1.63', 0],
  ['2.2.0', '2.1.999', 1],
  ['2.1', '2.1.0', 0],
  ['2.1.63-beta.4', '2.1.63', 0],
])('%s against %s', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
});
