import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { CliError } from '../exit.ts';

const run = promisify(execFile);
const PATIENCE_MS = 30_000;

const Status = z.looseObject({
  BackendState: z.string(),
  Self: z.looseObject({ DNSName: z.string().default('') }).optional(),
  CertDomains: z.array(z.string()).nullable().optional(),
});
const Serving = z.looseObject({
  Web: z
    .record(
      z.string(),
      z.looseObject({ Handlers: z.record(z.string(), z.looseObject({ Proxy: z.string().optional() })) }),
    )
    .optional(),
});

/** Serves the daemon's port in the tailnet with `tailscale serve`. Returns its address. */
export async function setUpTailscale(port: number): Promise<string> {
  const status = Status.parse(JSON.parse(await tailscale(['status', '--json'])));
  if (status.BackendState !== 'Running')
    throw new CliError(`Tailscale is not connected (${status.BackendState}). Run tailscale up, then try again.`);
  const host = status.Self?.DNSName.replace(/\.$/, '');
  if (!host || !status.CertDomains?.includes(host))
    throw new CliError(
      'HTTPS is off for your tailnet. Turn on MagicDNS and HTTPS Certificates at https://login.tailscale.com/admin/dns, then try again.',
    );
  const said = await tailscale(['serve', '--bg', '--yes', String(port)]);
  const serving = Serving.parse(JSON.parse((await tailscale(['serve', 'status', '--json'])) || '{}'));
  const proxy = serving.Web?.[`${host}:443`]?.Handlers['/']?.Proxy;
  // it may print a link to click instead, and exit with success
  if (proxy !== `http://127.0.0.1:${port}`)
    throw new CliError(`tailscale serve didn't start. Its output:\n${said.trim()}`);
  return `https://${host}`;
}

export async function stopTailscale(): Promise<void> {
  await tailscale(['serve', '--https=443', 'off']);
}

async function tailscale(args: string[]): Promise<string> {
  try {
    return (await run('tailscale', args, { timeout: PATIENCE_MS })).stdout;
  } catch (error) {
    const { code, stderr = '', message } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT')
      throw new CliError(
        'tailscale is not installed. Get it at https://tailscale.com/download, run tailscale up, then try again.',
      );
    if (/serve config denied/i.test(stderr))
      throw new CliError(
        "You aren't allowed to change Tailscale's serve settings. Run: sudo tailscale set --operator=$USER",
      );
    throw new CliError(`tailscale ${args.join(' ')} failed: ${stderr.trim() || message}`);
  }
}
