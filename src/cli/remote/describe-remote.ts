import type { Client } from '../../client/client.ts';
import type { AddressCheck, RemoteAccess } from '../../contract/remote.ts';
import { checkAddresses } from '../../contract/routes/remote.ts';
import { paint, print } from '../output.ts';

export function describeRemote({ urls, listener, tunnel, trustedProxies }: RemoteAccess): void {
  if (urls.length === 0 && !tunnel) print('Ground Control answers on this machine only.');
  for (const url of urls) print(url);
  if (tunnel) describeTunnel(tunnel);
  if (trustedProxies.length > 0) print(paint('dim', `X-Forwarded headers count from ${trustedProxies.join(', ')}`));
  if (listener?.state === 'failed')
    print(paint('red', `The HTTPS port ${listener.port} could not be opened: ${listener.error}`));
  const certificate = listener?.certificate;
  if (certificate)
    print(
      paint(
        'dim',
        `Certificate for ${certificate.names.join(', ')}, until ${new Date(certificate.expiresAt).toISOString().slice(0, 10)}`,
      ),
    );
}

function describeTunnel({ tunnel, state, restarts, error, fix }: NonNullable<RemoteAccess['tunnel']>): void {
  const where =
    tunnel.kind === 'ssh'
      ? `SSH tunnel to ${tunnel.target}, its port ${tunnel.remotePort}`
      : `Cloudflare ${tunnel.name === undefined ? 'quick tunnel' : `tunnel ${tunnel.name}`}`;
  const often = restarts === 0 ? '' : `, started again ${restarts === 1 ? 'once' : `${restarts} times`}`;
  print(`${where}: ${state === 'retrying' ? paint('red', 'down, trying again') : state}${often}`);
  if (error) print(paint('dim', error));
  if (fix) print(fix);
}

/** Asks the daemon to look for itself at each address, and prints what it found. Returns whether all work. */
export async function printChecks(api: Client): Promise<boolean> {
  const { checks } = await api.call(checkAddresses);
  for (const one of checks) printCheck(one);
  return checks.every(({ works }) => works);
}

function printCheck({ address, works, detail, fix }: AddressCheck): void {
  print(`${address}: ${works ? paint('green', detail) : paint('red', detail)}`);
  if (fix) print(`  ${fix}`);
}
