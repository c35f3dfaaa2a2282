import { expect, it } from 'vitest';
import { readPairingCode } from './pairing-code.ts';

it.each([
  [' ABCD-1234\n', 'ABCD-1234'],
  ['http://127.0.0.1:8765/pair?code=ABCD-1234', 'ABCD-1234'],
  ['http://127.0.0.1:8765/pair?x=1&code=a%2Fb#top', 'a/b'],
  ['http://127.0.0.1:8765/pair?code=%E0%A4%A', '%E0%A4%A'],
  ['', ''],
])('reads %o as %o', (pasted, code) => {
  expect(readPairingCode(pasted)).toBe(code);
});
