import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeClientHome } from '../kit/client-home.ts';
import { checkout } from '../kit/daemon-process.ts';
import { takeOperatorLink } from '../kit/operator-tokens.ts';
import { say } from '../kit/scripted-answer.ts';
import { startScriptedApi } from '../kit/scripted-api.ts';

/*
 * The package as users get it: packed, installed with a plain `npm i` into an empty folder, with `claude` on the PATH. Measures its size
 * and checks that `gctl up` and `gctl new` work.
 */

const MB = 1024 * 1024;
const AIMS = { packed: 10 * MB, installed: 150 * MB };

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gc-package-')));
const api = await startScriptedApi([{ when: 'say hello', reply: [say('Hello from the package.')] }]);
const home = await makeClientHome({ apiUrl: api.url });
const { HOME: _, PATH: path = '', ...clientEnv } = home.env;
const env = {
  ...clientEnv,
  CLAUDE_CONFIG_DIR: home.configDir,
  PATH: `${dirname(home.binary)}:${process.env.PATH ?? path}`,
  HOME: join(folder, 'home'),
};
mkdirSync(env.HOME);

/** Never synchronous: the scripted model runs in this process. */
async function run(program: string, args: string[], cwd: string, more: Record<string, string> = {}): Promise<string> {
  const child = spawn(program, args, { cwd, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, code] = await Promise.all([text(child.stdout), new Promise((resolve) => child.on('close', resolve))]);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with exit code ${code}`);
  return said;
}

/** Disk usage in bytes, as `du` counts it. */
function sizeOf(place: string): number {
  const found = statSync(place, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.blocks * 512;
  return readdirSync(place).reduce((total, name) => total + sizeOf(join(place, name)), found.blocks * 512);
}

const report = (what: string, bytes: number, aim: number) =>
  console.log(`${what.padEnd(10)} ${(bytes / MB).toFixed(1).padStart(6)} MB  (aim ${aim / MB})`);

console.log('# npm run bench package\n');
let isUp = false;
const gctl = (args: string[], more: Record<string, string> = {}) =>
  run(join(folder, 'app', 'node_modules', '.bin', 'gctl'), args, home.project, more);
try {
  const [packed] = JSON.parse(
    await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], checkout),
  );
  const app = join(folder, 'app');
  mkdirSync(app);
  await run('npm', ['init', '-y', '--silent'], app);
  await run('npm', ['i', '--no-audit', '--no-fund', '--loglevel=error', join(folder, packed.filename)], app);
  const installed = sizeOf(join(app, 'node_modules'));
  report('packed', packed.size, AIMS.packed);
  report('installed', installed, AIMS.installed);

  const said = await gctl(['up', '--detach', '--no-open', '--no-hooks', '--port', '0']);
  isUp = true;
  const token = (await takeOperatorLink(join(env.HOME, '.groundcontrol'), said)) ?? '';
  const answer = await gctl(['new', 'hello', '-p', 'say hello', '--wait'], { GROUNDCONTROL_TOKEN: token });
  console.log(`gctl new   ${answer.trim()}`);
  const works = answer.trim() === 'Hello from the package.';
  process.exitCode = works && packed.size < AIMS.packed && installed < AIMS.installed ? 0 : 1;
} finally {
  if (isUp) await gctl(['down']);
  await home.dispose();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
}
