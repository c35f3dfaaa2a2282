import { expect, it } from 'vitest';
import { RingBuffer } from '../../agent/shells/ring-buffer.ts';
import type { ShellOutput } from '../../contract/shells.ts';
import type { NativeSession } from './native-session.ts';
import { ShellControl } from './shell-control.ts';

const PIECE = 50_000;

function control(write: (buffer: RingBuffer) => void) {
  const buffer = new RingBuffer(1024 * 1024);
  write(buffer);
  const shells = { get: () => ({ read: (cursor: number) => buffer.read(cursor) }) };
  const shell = new ShellControl({ shells, agent: {} } as unknown as NativeSession);
  const shellId = 'sh-1';
  return {
    read: (after: number) => shell.take({ do: 'read', shellId, after }) as Promise<ShellOutput>,
    search: (text: string) => shell.take({ do: 'search', shellId, text }) as Promise<ShellOutput>,
  };
}

it('continues where the last read ended, even at the end of a chunk', async () => {
  const { read } = control((buffer) => {
    for (const letter of 'abcdef') buffer.write('stdout', letter.repeat(PIECE));
  });
  let seen = '';
  for (let after = 0, more = true; more; ) {
    const { pieces, cursor } = await read(after);
    seen += pieces.map(({ text }) => text[0]).join('');
    more = cursor > after;
    after = cursor;
  }
  expect(seen).toBe('abcdef');
});

it('finds a line that arrived in two chunks', async () => {
  const { search } = control((buffer) => {
    buffer.write('stdout', `${'x'.repeat(5000)}\nthe nee`);
    buffer.write('stdout', `dle is here\n${'y'.repeat(5000)}`);
  });
  const { pieces } = await search('NEEDLE');
  expect(pieces).toEqual([{ stream: 'stdout', at: 5001, text: 'the needle is here\n' }]);
});
