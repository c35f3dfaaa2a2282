import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { layOut } from './table.ts';

const rows = [
  ['3f2a9c01', 'Needs permission: Bash', 'Move the payment webhooks to the queue and keep the old endpoint alive'],
  ['91bc0d22', 'Idle', '支払いの通知をキューに移す。古いエンドポイントはそのままにしておいてください'],
];

test('prints full cells to a pipe', async () => {
  const lines = await layOut(rows, undefined);
  expect(lines[0]).toContain(rows[0]![2]);
  expect(lines[1]).toContain(rows[1]![2]);
});

test.each([120, 80, 60, 40])('fits every row into %i columns with full ids', async (width) => {
  const lines = await layOut(rows, width);
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  expect(lines.map((line) => line.slice(0, 8))).toEqual(['3f2a9c01', '91bc0d22']);
});

test('aligns columns after double-width characters', async () => {
  const [a, b] = await layOut(
    [
      ['漢字', 'x'],
      ['abcd', 'x'],
    ],
    undefined,
  );
  expect(stringWidth(a!)).toBe(stringWidth(b!));
});

test('keeps a cell with line breaks on one line', async () => {
  const lines = await layOut([['Bash\n3f2a9c01  allowed', 'x']], undefined);
  expect(lines).toEqual(['Bash 3f2a9c01  allowed  x']);
});

test.each(['–', '…', '·', '→', 'naïve Łódź', '“quoted”', 'it’s'])(
  'takes %s for as wide as the library does',
  async (text) => {
    expect(await layOut([[text, 'x']], undefined)).toEqual([`${text}  x`]);
    expect(stringWidth(text)).toBe(text.length);
  },
);
