import type { Command } from 'commander';
import type { Tunnel } from '../../contract/remote.ts';
import { addPublicUrl, closeTunnel, openTunnel } from '../../contract/routes/remote.ts';
import { connect } from '../api.ts';
import { type DataDirOption, dataDirOption, withJson } from '../common-options.ts';
import { CliError } from '../exit.ts';
import { print, printJson } from '../output.ts';
import { cloudflareSteps } from './cloudflare.ts';
import { describeRemote, printChecks } from './describe-remote.ts';
import { sshSteps } from './ssh.ts';
import { setUpTailscale, stopTailscale } from './tailscale.ts';

type Options = DataDirOption & { json?: boolean; off?: boolean; url?: string };

interface SshOptions extends Options {
  remotePort: string;
  sshPort?: string;
}

interface CloudflareOptions extends Options {
  tunnel?: string;
  quick?: boolean;
}

/** Tunnels through installed tools. */
export function addTunnels(remote: Command): void {
  withJson(remote.command('tailscale'))
    .description('serve it inside your tailnet, with the installed tailscale')
    .option('--off', 'stop serving it')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl remote tailscale\n  gctl remote tailscale --off')
    .action(async ({ dataDir, json, off }: Options) => {
      const api = await connect(dataDir);
      if (off) {
        await stopTailscale();
        return print('Tailscale no longer serves Ground Control. To drop its address too: gctl remote off');
      }
      const url = await setUpTailscale(Number(new URL(api.url).port));
      const access = await api.call(addPublicUrl, { body: { url } });
      if (json) return printJson(access);
      if (await printChecks(api)) print('Pair a device with gctl pair.');
    });

  withJson(remote.command('cloudflare'))
    .description('keep a Cloudflare Tunnel open with the installed cloudflared, or print the steps')
    .option('--tunnel <name>', 'a named tunnel that you created')
    .option('--url <url>', 'its address: https://tower.example.com')
    .option('--quick', 'a quick tunnel: new address at each start, no live updates')
    .option('--off', 'close it')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl remote cloudflare\n  gctl remote cloudflare --tunnel groundcontrol --url https://tower.example.com\n  gctl remote cloudflare --off',
    )
    .action(async ({ tunnel, url, quick, ...options }: CloudflareOptions) => {
      if (quick && (tunnel !== undefined || url !== undefined))
        throw new CliError('A quick tunnel has neither a name nor an address of its own. Leave out --quick.');
      if (!options.off && !quick && tunnel === undefined) return print(cloudflareSteps(await portOf(options.dataDir)));
      if (!options.off && !quick && url === undefined)
        throw new CliError('Name the address of the tunnel too: --url https://tower.example.com');
      if (quick)
        print(
          'Quick tunnels get a new address at each start, which breaks pairing, notifications and passkeys, and they hold live updates back. Use one to try things only.',
        );
      const name = tunnel === undefined ? {} : { name: tunnel };
      await run({ kind: 'cloudflare', ...name }, { ...options, ...(url === undefined ? {} : { url }) });
    });

  withJson(remote.command('ssh [server]'))
    .description('keep a port of your server forwarded here with the installed ssh, or print the steps')
    .option('--remote-port <port>', "the port on the server's loopback", '8765')
    .option('--ssh-port <port>', 'where its SSH listens')
    .option('--url <url>', 'the https address that a web server there serves from that port')
    .option('--off', 'close it')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl remote ssh\n  gctl remote ssh me@server.example.com --url https://tower.example.com\n  gctl remote ssh --off',
    )
    .action(async (server: string | undefined, { remotePort, sshPort, ...options }: SshOptions) => {
      if (!options.off && server === undefined) return print(sshSteps(await portOf(options.dataDir)));
      const port = sshPort === undefined ? {} : { sshPort: portNumber('--ssh-port', sshPort) };
      await run(
        { kind: 'ssh', target: server ?? 'off', remotePort: portNumber('--remote-port', remotePort), ...port },
        options,
      );
    });
}

async function run(tunnel: Tunnel, { dataDir, json, off, url }: Options): Promise<void> {
  const api = await connect(dataDir);
  const access = off
    ? await api.call(closeTunnel)
    : await api.call(openTunnel, { body: { tunnel, ...(url === undefined ? {} : { url }) } });
  if (json) return printJson(access);
  if (off) return print('The tunnel is closed.');
  describeRemote(access);
  if (access.urls.length > 0 && (await printChecks(api))) print('Pair a device with gctl pair.');
  if (tunnel.kind === 'ssh' && url === undefined)
    print(
      `The server's port ${tunnel.remotePort} leads here. Serve it there over HTTPS, for example with Caddy:\n\n  tower.example.com {\n    reverse_proxy 127.0.0.1:${tunnel.remotePort}\n  }\n\nThen: gctl remote url https://tower.example.com`,
    );
}

async function portOf(dataDir: string): Promise<number> {
  return Number(new URL((await connect(dataDir)).url).port);
}

function portNumber(option: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new CliError(`${option} ${text} is not a port number.`);
}
