import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '../client/client.ts';
import type { Device } from '../contract/access.ts';
import type { RemoteAccess } from '../contract/remote.ts';
import { listDevices } from '../contract/routes/access.ts';
import { listChannels, readNotifySettings } from '../contract/routes/notify.ts';
import { readRemote } from '../contract/routes/remote.ts';
import { boundAddresses } from './bound-addresses.ts';
import { type Finding, sayList } from './finding.ts';
import { ago, oneLine } from './output.ts';

const DAY_MS = 86_400_000;
const run = promisify(execFile);

/** What is exposed, and to whom. Most checks need a running daemon. */
export async function securityFindings(dataDir: string, api: Client | undefined): Promise<Finding[]> {
  const files = checkFiles(dataDir);
  if (!api)
    return [
      ...files,
      { check: 'Daemon', verdict: 'note', detail: 'not running, so nothing is open', fix: 'Start it: gctl up' },
    ];
  const [remote, { devices }, { channels }, { blind }] = [
    await api.call(readRemote),
    await api.call(listDevices),
    await api.call(listChannels),
    await api.call(readNotifySettings),
  ];
  return [
    checkListener(Number(new URL(api.url).port)),
    ...checkDoor(remote),
    ...(await checkTunnels(remote)),
    ...checkProxies(remote),
    ...devices.toSorted(byRole).map(describeDevice),
    {
      check: 'Channels',
      verdict: 'ok',
      detail:
        channels.length === 0
          ? 'none, so you get no notifications'
          : sayList(
              channels.map(
                ({ name, target, details }) => `${oneLine(name)} (${target}${details ? ', with commands' : ''})`,
              ),
            ),
    },
    {
      check: 'Blind answers',
      verdict: blind.length === 0 ? 'ok' : 'note',
      detail:
        blind.length === 0
          ? 'nothing can be allowed from a notification'
          : `${sayList(blind.map(({ toolName }) => toolName))} can be allowed from a locked phone`,
    },
    ...files,
    {
      check: 'Agents',
      verdict: 'note',
      detail: 'run as you and can read the data dir, so its token is read-only',
      fix: 'To protect more than that, use a separate user or the sandbox: docs/security.md',
    },
  ];
}

function checkListener(port: number): Finding {
  const check = 'HTTP';
  const bound = boundAddresses(port);
  if (bound === undefined) return { check, verdict: 'ok', detail: `port ${port} on 127.0.0.1, for this machine` };
  const outside = bound.filter((address) => !address.startsWith('127.') && address !== '::1');
  if (outside.length === 0)
    return { check, verdict: 'ok', detail: `port ${port} on ${bound.join(', ')}: only programs on this machine` };
  return {
    check,
    verdict: 'wrong',
    detail: `port ${port} is open on ${outside.join(', ')} without encryption`,
    fix: 'Restart it: gctl down, gctl up',
  };
}

function checkDoor({ listener }: RemoteAccess): Finding[] {
  const check = 'HTTPS';
  if (!listener) return [{ check, verdict: 'ok', detail: 'closed: no other machine can connect' }];
  const { host, port, state, error, certificate } = listener;
  if (state === 'failed')
    return [{ check, verdict: 'wrong', detail: `port ${port} couldn't be opened: ${error}`, fix: 'gctl remote lan' }];
  const where = host === '0.0.0.0' || host === '::' ? 'every network of this machine' : host;
  const open: Finding = {
    check,
    verdict: 'note',
    detail: `port ${port} is open to ${where}. Only paired devices can sign in`,
    fix: 'Close it: gctl remote off',
  };
  if (!certificate || certificate.expiresAt - Date.now() > 30 * DAY_MS) return [open];
  const until = new Date(certificate.expiresAt).toISOString().slice(0, 10);
  return [
    open,
    { check: 'Certificate', verdict: 'wrong', detail: `expires on ${until}`, fix: 'Create a new one: gctl remote lan' },
  ];
}

async function checkTunnels({ urls, listener }: RemoteAccess): Promise<Finding[]> {
  const own = new Set(listener?.certificate?.names ?? []);
  const tunnels = urls.filter((url) => !own.has(new URL(url).hostname.replace(/^\[|\]$/g, '')));
  const findings: Finding[] = tunnels.map((url) => ({
    check: 'Tunnel',
    verdict: 'note',
    detail: `${url} is accepted. Anyone who can open it sees the sign-in page, but only paired devices can sign in`,
    fix: 'Turn it off: gctl remote off',
  }));
  return (await hasFunnel())
    ? [
        ...findings,
        {
          check: 'Tailscale Funnel',
          verdict: 'wrong',
          detail: 'is on: the whole internet can open the sign-in page',
          fix: 'Serve it inside your tailnet only: tailscale funnel --https=443 off',
        },
      ]
    : findings;
}

function checkProxies({ urls, trustedProxies }: RemoteAccess): Finding[] {
  const shared = urls.filter((url) => new URL(url).pathname !== '/');
  return [
    ...shared.map((url) => ({
      check: 'Base path',
      verdict: 'note' as const,
      detail: `${url} shares its host with whatever else is served there: that can act as you in your browser`,
      fix: 'Use a host name of its own unless you trust the other apps',
    })),
    ...(trustedProxies.length === 0
      ? []
      : [
          {
            check: 'Proxies',
            verdict: 'note' as const,
            detail: `${sayList(trustedProxies)} may say which address was asked for, and who asked`,
            fix: 'Trust none: gctl remote off',
          },
        ]),
  ];
}

/** Whether Tailscale forwards from the internet, not only from the tailnet. */
async function hasFunnel(): Promise<boolean> {
  const said = await run('tailscale', ['serve', 'status', '--json'], { timeout: 5000 }).then(
    ({ stdout }) => stdout,
    // not installed, or not running
    () => '',
  );
  return /"AllowFunnel"\s*:\s*\{[^}]*true/.test(said);
}

const RANK: Record<Device['role'], number> = { admin: 0, operator: 1, viewer: 2 };
const byRole = (a: Device, b: Device) => RANK[a.role] - RANK[b.role] || a.createdAt - b.createdAt;
const MAY: Record<Device['role'], string> = {
  admin: 'manages devices and settings, and acts',
  operator: 'acts',
  viewer: 'views, with secrets masked',
};
const BY: Record<Device['kind'], string> = {
  local: 'by the token in the data dir, from your terminals',
  browser: 'by a key that no script can read',
  bearer: 'by a token',
};

function describeDevice(device: Device): Finding {
  const { id, name, kind, role, projects, lastSeenAt } = device;
  const where = projects.length === 0 ? '' : ` in ${projects.join(', ')}`;
  const seen = lastSeenAt === null ? 'never used' : `last seen ${ago(lastSeenAt)} ago`;
  const isStale = kind !== 'local' && Date.now() - (lastSeenAt ?? device.createdAt) > 30 * DAY_MS;
  const isRisky = kind === 'bearer' && role === 'admin';
  return {
    check: 'Device',
    verdict: isStale || isRisky ? 'note' : 'ok',
    detail: `${oneLine(name)} ${MAY[role]}${where}, ${BY[kind]}; ${seen}`,
    ...(isStale || isRisky ? { fix: `If you don't need it: gctl devices revoke ${id.slice(0, 8)}` } : {}),
  };
}

/** Checks that only the owner can read the data dir, and that nothing in it is a link. */
function checkFiles(dataDir: string): Finding[] {
  const check = 'Files';
  if (!existsSync(dataDir)) return [{ check, verdict: 'ok', detail: `${dataDir} doesn't exist yet` }];
  const paths = [dataDir, ...list(dataDir), ...list(join(dataDir, 'tls'))];
  const open: string[] = [];
  const links: string[] = [];
  const foreign: string[] = [];
  for (const path of paths) {
    const { mode, uid } = lstatSync(path);
    if (lstatSync(path).isSymbolicLink()) links.push(path);
    else if ((mode & 0o077) !== 0 && isSensitive(path, dataDir)) open.push(path);
    if (uid !== process.getuid?.()) foreign.push(path);
  }
  return [
    ...(open.length > 0
      ? [
          {
            check,
            verdict: 'wrong' as const,
            detail: `other users can read ${sayList(open)}`,
            fix: `chmod -R go= ${dataDir}`,
          },
        ]
      : []),
    ...(links.length > 0
      ? [
          {
            check,
            verdict: 'note' as const,
            detail: `${sayList(links)} are links to somewhere else`,
            fix: 'Check where they lead.',
          },
        ]
      : []),
    ...(foreign.length > 0
      ? [
          {
            check,
            verdict: 'wrong' as const,
            detail: `${sayList(foreign)} belong to another user`,
            fix: `chown -R "$USER" ${dataDir}`,
          },
        ]
      : []),
    ...(open.length + links.length + foreign.length === 0
      ? [{ check, verdict: 'ok' as const, detail: `only you can read ${dataDir}` }]
      : []),
  ];
}

/** A folder that no one else can enter protects its contents. */
const isSensitive = (path: string, dataDir: string): boolean =>
  path === dataDir || (lstatSync(dataDir).mode & 0o077) !== 0 || path.includes('/tls/');

const list = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
