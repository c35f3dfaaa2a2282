import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { boundAddresses } from './bound-addresses.ts';

it('reads which addresses a port is bound to, in every kernel format', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gc-proc-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const row = (address: string, state = '0A') => `   0: ${address}:223D 00000000:0000 ${state} 00000000:00000000`;
  writeFileSync(join(folder, 'tcp'), ['head', row('0100007F'), row('00000000'), row('0501A8C0', '01'), ''].join('\n'));
  writeFileSync(
    join(folder, 'tcp6'),
    [
      'head',
      row('00000000000000000000000001000000'),
      row('0000000000000000FFFF00000501A8C0'),
      row('0'.repeat(32)),
      '',
    ].join('\n'),
  );
  expect(boundAddresses(0x223d, folder)).toEqual(['127.0.0.1', '0.0.0.0', '::1', '192.168.1.5', '::']);
  expect(boundAddresses(1, folder)).toEqual([]);
  expect(boundAddresses(1, join(folder, 'absent'))).toBeUndefined();
});

it.runIf(process.platform === 'linux')('detects a real listener', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  expect(boundAddresses((server.address() as { port: number }).port)).toEqual(['127.0.0.1']);
});
