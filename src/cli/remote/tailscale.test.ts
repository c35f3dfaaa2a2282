import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setUpTailscale } from './tailscale.ts';

/* A program named tailscale that prints what the real one prints. */

let folder: string;
const path = process.env.PATH;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-tailscale-'));
  process.env.PATH = `${folder}:/usr/bin:/bin`;
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true, force: true });
});

const RUNNING = {
  BackendState: 'Running',
  Self: { DNSName: 'mac.tail1234.ts.net.' },
  CertDomains: ['mac.tail1234.ts.net'],
};

interface Fake {
  status?: object;
  /** What `serve --bg` prints and exits with. */
  serve?: { out?: string; error?: string; exit?: number };
  serving?: object;
}

function install({ status = RUNNING, serve = {}, serving = {} }: Fake): void {
  const { out = '', error = '', exit = 0 } = serve;
  const file = join(folder, 'tailscale');
  writeFileSync(
    file,
    `#!/bin/sh
echo "$@" >> '${join(folder, 'calls')}'
case "$1 $2" in
  "status --json") cat <<'END'
${JSON.stringify(status)}
END
  ;;
  "serve status") cat <<'END'
${JSON.stringify(serving)}
END
  ;;
  "serve --bg") printf '%s' '${out}'; printf '%s' '${error}' >&2; exit ${exit} ;;
esac
`,
  );
  chmodSync(file, 0o755);
}

const SERVING = { Web: { 'mac.tail1234.ts.net:443': { Handlers: { '/': { Proxy: 'http://127.0.0.1:8765' } } } } };

it('serves the port and returns the address once it responds', async () => {
  install({ serving: SERVING });
  expect(await setUpTailscale(8765)).toBe('https://mac.tail1234.ts.net');
});

it.each<[string, Fake, RegExp]>([
  [
    'is not connected',
    { status: { ...RUNNING, BackendState: 'NeedsLogin' } },
    /not connected \(NeedsLogin\)\. Run tailscale up/,
  ],
  ['has no HTTPS certificates', { status: { ...RUNNING, CertDomains: null } }, /HTTPS is off for your tailnet/],
  [
    'prints a link to click and exits with success',
    {
      serve: {
        out: 'Serve is not enabled on your tailnet.\nTo enable, visit:\n\n  https://login.tailscale.com/f/serve?node=n1',
      },
    },
    /didn.t start\. Its output:[\s\S]*https:\/\/login\.tailscale\.com\/f\/serve\?node=n1/,
  ],
  [
    'lets only root change it',
    { serve: { error: 'error: serve config denied', exit: 1 } },
    /sudo tailscale set --operator/,
  ],
  [
    'already serves something else there',
    { serving: { Web: { 'mac.tail1234.ts.net:443': { Handlers: { '/': { Proxy: 'http://127.0.0.1:3000' } } } } } },
    /didn.t start/,
  ],
  ['fails', { serve: { error: 'boom', exit: 1 } }, /tailscale serve --bg --yes 8765 failed: boom/],
])('says what to do if tailscale %s', async (_name, fake, message) => {
  install(fake);
  await expect(setUpTailscale(8765)).rejects.toThrow(message);
});

it('says where to get tailscale if it is not installed', async () => {
  process.env.PATH = folder;
  await expect(setUpTailscale(8765)).rejects.toThrow(/tailscale is not installed/);
});
