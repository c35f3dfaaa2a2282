import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { waitFor } from './wait.ts';

/* The tools behind tunnels. OpenSSH is real where its server is installed. cloudflared can't reach Cloudflare in a test, so a program of that name serves what the real one serves on its metrics port (REMOTE-FACTS: cfd). */

function install(folder: string, name: string, source: string): void {
  const file = join(folder, name);
  writeFileSync(file, `#!${process.execPath}\n${source}`);
  chmodSync(file, 0o755);
}

/** Forwards with -R and walks with -W like ssh, without a server in between. `fails`: what it says before it ends. */
export function installScriptedSsh(folder: string, { fails }: { fails?: string } = {}): void {
  install(
    folder,
    'ssh',
    `
const { appendFileSync } = require('node:fs');
const { createServer, connect } = require('node:net');
const args = process.argv.slice(2);
appendFileSync(${JSON.stringify(join(folder, 'calls'))}, args.join(' ') + '\\n');
const fails = ${JSON.stringify(fails ?? '')};
if (fails) { process.stderr.write(fails + '\\n'); process.exit(255); }
const after = (option) => args[args.indexOf(option) + 1].split(':');
if (args.includes('-R')) {
  const [host, port, toHost, toPort] = after('-R');
  const server = createServer((socket) => {
    const there = connect(Number(toPort), toHost);
    socket.pipe(there).pipe(socket);
    for (const one of [socket, there]) one.on('error', () => undefined);
  });
  server.on('error', () => { process.stderr.write('Error: remote port forwarding failed for listen port ' + port + '\\n'); process.exit(255); });
  server.listen(Number(port), host);
} else {
  const [host, port] = after('-W');
  const there = connect(Number(port), host);
  there.on('error', () => process.exit(1));
  process.stdin.pipe(there).pipe(process.stdout);
}
`,
  );
}

export function installScriptedCloudflared(
  folder: string,
  { hostname = 'sunny-day.trycloudflare.com', ready = 4 } = {},
): void {
  install(
    folder,
    'cloudflared',
    `
const { appendFileSync } = require('node:fs');
const args = process.argv.slice(2);
appendFileSync(${JSON.stringify(join(folder, 'calls'))}, args.join(' ') + '\\n');
const [host, port] = args[args.indexOf('--metrics') + 1].split(':');
require('node:http').createServer((request, response) => {
  if (request.url === '/ready') response.end(JSON.stringify({ status: 200, readyConnections: ${ready}, connectorId: 'c' }));
  else if (request.url === '/quicktunnel') response.end(JSON.stringify({ hostname: args.includes('run') ? '' : ${JSON.stringify(hostname)} }));
  else response.writeHead(404).end();
}).listen(Number(port), host);
`,
  );
}

/** Where OpenSSH's server is; undefined: it isn't installed. As root it needs a user of its own, which its package makes. */
export const SSHD = [process.env.SSHD, '/usr/sbin/sshd', '/usr/local/sbin/sshd'].find(
  (path) =>
    path && existsSync(path) && (process.getuid?.() !== 0 || /^sshd:/m.test(readFileSync('/etc/passwd', 'utf8'))),
);

/** A real SSH server for this user with throw-away keys, and an `ssh` in `folder` that knows it as `box`. */
export async function startSshServer(folder: string) {
  const port = await freePort();
  const key = (name: string) => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
    return join(folder, name);
  };
  const [host, own] = [key('host_key'), key('own_key')];
  const config = join(folder, 'sshd_config');
  // as root it wants this folder
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  writeFileSync(
    config,
    `ListenAddress 127.0.0.1:${port}
HostKey ${host}
AuthorizedKeysFile ${own}.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
AllowTcpForwarding yes
`,
  );
  const server = spawn(SSHD!, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  server.stderr.on('data', (piece: Buffer) => {
    said += piece.toString();
  });
  await waitFor(async () => (said.includes('Server listening') ? true : undefined), { what: 'the SSH server' });
  execFileSync('sh', [
    '-c',
    `printf '[127.0.0.1]:${port} %s\\n' "$(cut -d' ' -f1,2 ${host}.pub)" > ${join(folder, 'known')}`,
  ]);
  writeFileSync(
    join(folder, 'ssh_config'),
    `Host box
  HostName 127.0.0.1
  Port ${port}
  User ${userInfo().username}
  IdentityFile ${own}
  IdentitiesOnly yes
  UserKnownHostsFile ${join(folder, 'known')}
  GlobalKnownHostsFile /dev/null
`,
  );
  const ssh = execFileSync('sh', ['-c', 'command -v ssh'], {
    env: { PATH: '/usr/bin:/usr/local/bin:/opt/homebrew/bin' },
  })
    .toString()
    .trim();
  writeFileSync(join(folder, 'ssh'), `#!/bin/sh\nexec ${ssh} -F ${join(folder, 'ssh_config')} "$@"\n`);
  chmodSync(join(folder, 'ssh'), 0o755);
  return { stop: () => server.kill(), said: () => said };
}
