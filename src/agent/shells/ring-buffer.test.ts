import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RingBuffer } from './ring-buffer.ts';

it('keeps exactly the last characters and reports every gap, for any writes and reads', () => {
  const write = fc.record({
    stream: fc.constantFrom('stdout' as const, 'stderr' as const),
    text: fc.string({ maxLength: 40 }),
  });
  fc.assert(
    fc.property(
      fc.array(write, { maxLength: 40 }),
      fc.integer({ min: 1, max: 60 }),
      fc.nat(300),
      (writes, capacity, from) => {
        const buffer = new RingBuffer(capacity);
        let all = '';
        for (const { stream, text } of writes) {
          buffer.write(stream, text);
          all += text;
        }
        const { pieces, cursor, missed } = buffer.read(from);
        const first = Math.min(from, all.length);
        const start = Math.max(first, all.length - capacity);
        expect(pieces.map(({ text }) => text).join('')).toBe(all.slice(start));
        expect(missed).toBe(Math.max(0, all.length - capacity - first));
        expect(cursor).toBe(all.length);
        if (pieces[0]) expect(pieces[0].at).toBe(start);
      },
    ),
  );
});
