import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Connection, Peer } from './find-peer.ts';

const run = promisify(execFile);

/** macOS: `lsof` names the processes that have a connection open, `ps` when one of them started. */
export async function findPeerWithLsof(connection: Connection): Promise<Peer> {
  const listed = await run('lsof', ['-nP', '-a', `-iTCP:${connection.remotePort}`, '-sTCP:ESTABLISHED', '-Fpn']).then(
    ({ stdout }) => stdout,
    // Nothing found.
    (error: { code?: unknown; stdout?: string }) => (error.code === 1 ? (error.stdout ?? '') : undefined),
  );
  if (listed === undefined) return { kind: 'unknown' };
  const pid = holderIn(listed, connection);
  if (pid === undefined) return { kind: 'hidden' };
  const env = { ...process.env, LC_ALL: 'C' };
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], { env }).catch(() => ({ stdout: '' }));
  return stdout.trim() ? { kind: 'process', pid, start: stdout.trim() } : { kind: 'gone' };
}

/** Parses `lsof -Fpn`: a line `p<pid>` per process, followed by `n<local>-><remote>` per connection. */
export function holderIn(
  output: string,
  { localAddress, localPort, remoteAddress, remotePort }: Connection,
): number | undefined {
  const sought = `n${remoteAddress}:${remotePort}->${localAddress}:${localPort}`;
  let pid: number | undefined;
  for (const line of output.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    else if (line === sought) return pid;
  }
  return undefined;
}
