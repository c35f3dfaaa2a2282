import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Outgoing } from '../outgoing.ts';
import { bellSender } from './bell.ts';

const notice = { part: 'notice' } as Outgoing;

it('rings in a real terminal, and reports if there is none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gc-bell-'));
  const terminal = spawn('script', ['-qec', 'tty; cat', '/dev/null'], { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => {
    terminal.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  let heard = '';
  terminal.stdout.on('data', (chunk: Buffer) => {
    heard += chunk.toString();
  });
  await once(terminal.stdout, 'data');
  const [, path = ''] = /(\/dev\/pts\/\d+)/.exec(heard) ?? [];
  const bell = bellSender([folder]);
  expect(await bell.send(notice, { kind: 'bell' })).toMatchObject({ ok: false, final: true });
  symlinkSync(path, join(folder, '7'));
  symlinkSync('/dev/null', join(folder, 'not-a-terminal'));
  expect(await bell.send(notice, { kind: 'bell' })).toEqual({ ok: true });
  await expect.poll(() => heard).toContain('\u0007');
});
