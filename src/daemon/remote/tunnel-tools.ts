import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Tunnel } from '../../contract/remote.ts';
import { answerProbe } from '../../contract/routes/remote.ts';
import type { Probes } from './probes.ts';

interface ToolRun {
  program: string;
  args: string[];
}

const SSH_OPTIONS = [
  // nobody is there to type a password
  'BatchMode=yes',
  'ExitOnForwardFailure=yes',
  'ServerAliveInterval=15',
  'ServerAliveCountMax=3',
  'ConnectTimeout=15',
].flatMap((option) => ['-o', option]);

/** `metrics`: where cloudflared tells its state. */
export function toolFor(tunnel: Tunnel, { port, metrics }: { port: number; metrics: number }): ToolRun {
  if (tunnel.kind === 'ssh') {
    const forward = `127.0.0.1:${tunnel.remotePort}:127.0.0.1:${port}`;
    return { program: 'ssh', args: ['-N', '-T', ...SSH_OPTIONS, '-R', forward, ...serverOf(tunnel)] };
  }
  const origin = `http://127.0.0.1:${port}`;
  const common = ['tunnel', '--no-autoupdate', '--metrics', `127.0.0.1:${metrics}`];
  return {
    program: 'cloudflared',
    args: tunnel.name === undefined ? [...common, '--url', origin] : [...common, 'run', '--url', origin, tunnel.name],
  };
}

const serverOf = ({ target, sshPort }: Extract<Tunnel, { kind: 'ssh' }>): string[] => [
  ...(sshPort === undefined ? [] : ['-p', String(sshPort)]),
  '--',
  target,
];

interface Way {
  port: number;
  probes: Probes;
  env: NodeJS.ProcessEnv;
}

/** Whether the tunnel leads here. For a quick tunnel, also its address. */
export async function readTunnel(
  tunnel: Tunnel,
  { metrics, ...way }: Way & { metrics: number },
): Promise<{ isConnected: boolean; url?: string }> {
  if (tunnel.kind === 'ssh') return { isConnected: await reachesThrough(tunnel, way) };
  const ready = await metric(metrics, '/ready');
  if (!(Number(ready?.readyConnections) > 0)) return { isConnected: false };
  if (tunnel.name !== undefined) return { isConnected: true };
  const hostname = (await metric(metrics, '/quicktunnel'))?.hostname;
  return typeof hostname === 'string' && hostname !== ''
    ? { isConnected: true, url: `https://${hostname}` }
    : { isConnected: false };
}

/** Undefined: it isn't listening yet, or it isn't cloudflared. */
function metric(port: number, path: string): Promise<Record<string, unknown> | undefined> {
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path, timeout: METRIC_MS }, (answer) => {
      json(answer).then(
        (read) => resolve(read as Record<string, unknown>),
        () => resolve(undefined),
      );
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
  });
}

const METRIC_MS = 3_000;
const WALK_MS = 20_000;

/** Asks the server's port from the server itself, through a second connection: needs no program there. */
function reachesThrough(tunnel: Extract<Tunnel, { kind: 'ssh' }>, { port, probes, env }: Way): Promise<boolean> {
  const { nonce, proof } = probes.issue();
  const args = ['-T', ...SSH_OPTIONS, '-W', `127.0.0.1:${tunnel.remotePort}`, ...serverOf(tunnel)];
  return new Promise((resolve) => {
    const walk = spawn('ssh', args, { stdio: ['pipe', 'pipe', 'ignore'], env, timeout: WALK_MS });
    let said = '';
    const settle = (isHere: boolean) => {
      walk.kill();
      resolve(isHere);
    };
    walk.stdout.on('data', (piece: Buffer) => {
      said += piece.toString('latin1');
      if (said.includes(proof)) settle(true);
    });
    walk.on('error', () => settle(false));
    walk.on('close', () => settle(false));
    // it may have ended before it read this
    walk.stdin.on('error', () => undefined);
    walk.stdin.write(
      `GET ${answerProbe.path.replace(':nonce', nonce)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
    );
  });
}

/** What to do about what a tool said when it ended. */
export function fixFor(tunnel: Tunnel, said: string): string | null {
  if (/ENOENT/.test(said))
    return tunnel.kind === 'ssh'
      ? 'Install the OpenSSH client.'
      : 'Install cloudflared: https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/downloads/';
  if (tunnel.kind === 'ssh') {
    if (/Host key verification failed|REMOTE HOST IDENTIFICATION/i.test(said))
      return `Connect once by hand to check and accept the server's key: ssh ${tunnel.target}`;
    if (/Permission denied/i.test(said))
      return `Log in with a key, not a password: ssh-copy-id ${tunnel.target}, and load it into an agent if it has a passphrase.`;
    if (/remote port forwarding failed/i.test(said))
      return `Port ${tunnel.remotePort} is taken on the server, or it forbids forwarding (AllowTcpForwarding). Choose another: --remote-port ${tunnel.remotePort + 1}`;
    return `Try it by hand: ssh ${tunnel.target}`;
  }
  if (/tunnel not found|is neither the ID nor the name/i.test(said))
    return `Create it first: cloudflared tunnel create ${tunnel.name ?? 'groundcontrol'}`;
  if (/cert\.pem|origin cert/i.test(said)) return 'Sign in first: cloudflared tunnel login';
  if (/429|Too Many Requests/i.test(said))
    return 'Cloudflare limits quick tunnels. Wait a few minutes, or use a named tunnel.';
  return null;
}
