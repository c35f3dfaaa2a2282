import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fingerprint } from './fingerprint.ts';

test('is the same for the same bytes, and changes with any of them', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 600 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (bytes, at, by) => {
        const changed = Uint8Array.from(bytes);
        changed[at % bytes.length]! ^= by;
        expect(fingerprint(Uint8Array.from(bytes))).toBe(fingerprint(bytes));
        expect(fingerprint(changed)).not.toBe(fingerprint(bytes));
        expect(fingerprint(bytes.subarray(0, -1))).not.toBe(fingerprint(bytes));
      },
    ),
    { numRuns: 2000 },
  );
});

test('has no collisions among many texts that are nearly alike', () => {
  const all = Array.from({ length: 200_000 }, (_, n) => fingerprint(Buffer.from(`{"type":"user","n":${n}}`)));
  expect(new Set(all).size).toBe(all.length);
});
