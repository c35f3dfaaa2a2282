import type { Command } from 'commander';
import type { RemoteAccess } from '../contract/remote.ts';
import { addPublicUrl, closeRemote, openListener, readRemote } from '../contract/routes/remote.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { CliError } from './exit.ts';
import { paint, print, printJson } from './output.ts';
import { cloudflareSteps } from './remote/cloudflare.ts';
import { probe } from './remote/probe.ts';
import { sshSteps } from './remote/ssh.ts';
import { setUpTailscale } from './remote/tailscale.ts';

type Options = DataDirOption & { json?: boolean };

interface LanOptions extends Options {
  host: string;
  port?: string;
  name?: string[];
  cert?: string;
  key?: string;
}

/** How to reach the daemon from elsewhere. */
export function addRemote(program: Command): void {
  const remote = program
    .command('remote')
    .description('reach Ground Control from your phone or another computer')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl remote tailscale\n  gctl remote lan\n  gctl remote url https://tower.example.com\n  gctl remote off',
    );

  withJson(remote.command('status', { isDefault: true }))
    .description('show the addresses in use')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl remote status')
    .action(async ({ dataDir, json }: Options) => {
      const access = await (await connect(dataDir)).call(readRemote);
      if (json) printJson(access);
      else describe(access);
    });

  withJson(remote.command('tailscale'))
    .description('serve it inside your tailnet, with the installed tailscale')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl remote tailscale')
    .action(async ({ dataDir, json }: Options) => {
      const api = await connect(dataDir);
      const url = await setUpTailscale(Number(new URL(api.url).port));
      const access = await api.call(addPublicUrl, { body: { url } });
      if (json) return printJson(access);
      print(`${url}: ${await probe(url)}`);
      print('Pair a device with gctl pair.');
    });

  withJson(remote.command('lan'))
    .description('open an HTTPS port for your own network, with a generated certificate')
    .option('--host <address>', 'address to listen on', '0.0.0.0')
    .option('--port <port>', "port (default: one above the daemon's)")
    .option('--name <name...>', 'host names and addresses to use (default: those of this machine)')
    .option('--cert <file>', 'use this certificate instead of generating one')
    .option('--key <file>', 'private key for --cert')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl remote lan\n  gctl remote lan --name studio.example.com --cert fullchain.pem --key privkey.pem',
    )
    .action(async (options: LanOptions) => {
      const access = await (await connect(options.dataDir)).call(openListener, { body: toListener(options) });
      if (options.json) return printJson(access);
      describe(access);
      const fingerprint = access.listener?.certificate?.caFingerprint;
      if (!fingerprint) return;
      print(
        `\nYour phone has to trust the certificate first. Open ${paint('cyan', `${access.urls[0]}/trust`)} on it and follow the steps.`,
      );
      print(`Its fingerprint must be ${fingerprint}`);
    });

  withJson(remote.command('url <url>'))
    .description('accept requests for an address that your proxy or tunnel forwards here')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl remote url https://tower.example.com')
    .action(async (url: string, { dataDir, json }: Options) => {
      const access = await (await connect(dataDir)).call(addPublicUrl, { body: { url } });
      if (json) return printJson(access);
      print(`${access.urls[0]}: ${await probe(access.urls[0] ?? url)}`);
    });

  remote
    .command('cloudflare')
    .description('print the steps for a Cloudflare Tunnel')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl remote cloudflare')
    .action(async ({ dataDir }: Options) => print(cloudflareSteps(await portOf(dataDir))));

  remote
    .command('ssh')
    .description('print the command that forwards it over SSH')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl remote ssh')
    .action(async ({ dataDir }: Options) => print(sshSteps(await portOf(dataDir))));

  withJson(remote.command('off'))
    .description('turn off access from other machines; devices stay paired')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl remote off')
    .action(async ({ dataDir, json }: Options) => {
      const access = await (await connect(dataDir)).call(closeRemote);
      if (json) printJson(access);
      else
        print(
          'Ground Control answers on this machine only. Stop tunnels in their own tools: tailscale serve --https=443 off',
        );
    });
}

async function portOf(dataDir: string): Promise<number> {
  return Number(new URL((await connect(dataDir)).url).port);
}

function toListener({ host, port, name, cert, key }: LanOptions) {
  const number = port === undefined ? undefined : Number(port);
  if (number !== undefined && !(Number.isInteger(number) && number > 0 && number < 65_536))
    throw new CliError(`--port ${port} is not a port number.`);
  if ((cert === undefined) !== (key === undefined)) throw new CliError('--cert and --key go together.');
  return {
    host,
    ...(number === undefined ? {} : { port: number }),
    ...(name === undefined ? {} : { names: name }),
    ...(cert === undefined || key === undefined ? {} : { certFile: absolute(cert), keyFile: absolute(key) }),
  };
}

const absolute = (path: string) => (path.startsWith('/') ? path : `${process.cwd()}/${path}`);

function describe({ urls, listener }: RemoteAccess): void {
  if (urls.length === 0) print('Ground Control answers on this machine only.');
  for (const url of urls) print(url);
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
