import type { Command } from 'commander';
import { addPublicUrl, checkAddresses, closeRemote, openListener, readRemote } from '../contract/routes/remote.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { CliError } from './exit.ts';
import { paint, print, printJson } from './output.ts';
import { addTunnels } from './remote/add-tunnels.ts';
import { describeRemote, printChecks } from './remote/describe-remote.ts';

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
      '\nExamples:\n  gctl remote tailscale\n  gctl remote lan\n  gctl remote ssh me@server.example.com\n  gctl remote url https://tower.example.com\n  gctl remote check\n  gctl remote off',
    );

  withJson(remote.command('status', { isDefault: true }))
    .description('show the addresses in use')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl remote status')
    .action(async ({ dataDir, json }: Options) => {
      const access = await (await connect(dataDir)).call(readRemote);
      if (json) printJson(access);
      else describeRemote(access);
    });

  withJson(remote.command('check'))
    .description('ask at each address whether this daemon answers there')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl remote check')
    .action(async ({ dataDir, json }: Options) => {
      const api = await connect(dataDir);
      if (json) return printJson(await api.call(checkAddresses));
      const { urls } = await api.call(readRemote);
      if (urls.length === 0) return print('There are no addresses. Ground Control answers on this machine only.');
      if (!(await printChecks(api))) process.exitCode = 1;
    });

  addTunnels(remote);

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
      describeRemote(access);
      const fingerprint = access.listener?.certificate?.caFingerprint;
      if (!fingerprint) return;
      print(
        `\nYour phone has to trust the certificate first. Open ${paint('cyan', `${access.urls[0]}/trust`)} on it and follow the steps.`,
      );
      print(`Its fingerprint must be ${fingerprint}`);
    });

  withJson(remote.command('url <url>'))
    .description('accept requests for an address that your proxy or tunnel forwards here, also below a path')
    .option('--trust-proxy <address...>', "believe this proxy's X-Forwarded-Host, -Proto and -For (default: nobody's)")
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl remote url https://tower.example.com\n  gctl remote url https://example.com/gc\n  gctl remote url https://example.com/gc --trust-proxy 127.0.0.1',
    )
    .action(async (url: string, { dataDir, json, trustProxy }: Options & { trustProxy?: string[] }) => {
      const api = await connect(dataDir);
      const access = await api.call(addPublicUrl, {
        body: { url, ...(trustProxy === undefined ? {} : { trustedProxies: trustProxy }) },
      });
      if (json) return printJson(access);
      await printChecks(api);
    });

  withJson(remote.command('off'))
    .description('turn off access from other machines; devices stay paired')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl remote off')
    .action(async ({ dataDir, json }: Options) => {
      const access = await (await connect(dataDir)).call(closeRemote);
      if (json) printJson(access);
      else print('Ground Control answers on this machine only. If Tailscale serves it: gctl remote tailscale --off');
    });
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
