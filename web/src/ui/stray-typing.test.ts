import { expect, test } from 'vitest';
import { createStrayTyping } from './stray-typing.ts';

function writeInto(field: { isConnected: boolean }) {
  const writing = createStrayTyping();
  writing.write(field, 1_000);
  return writing;
}

test('keys act while the field is there, and count as typing for a while after it disappears', () => {
  const field = { isConnected: true };
  const writing = writeInto(field);
  expect([writing.isAdrift(), writing.isWord(1_100)]).toEqual([false, false]);
  field.isConnected = false;
  expect([writing.isAdrift(), writing.isWord(1_700)]).toEqual([true, true]);
  // a sentence is followed to its end
  expect([writing.isWord(2_900), writing.isWord(3_500), writing.isWord(4_100)]).toEqual([true, true, true]);
  expect(writing.isWord(4_900)).toBe(false);
  // keys that navigate work again; keys that decide don't
  expect(writing.isAdrift()).toBe(true);
});

test('navigating ends the typing', () => {
  const writing = writeInto({ isConnected: false });
  writing.move();
  expect([writing.isAdrift(), writing.isWord(1_100)]).toEqual([false, false]);
});
