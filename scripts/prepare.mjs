import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const OLDEST_NODE = [20, 19];

/** Makes a checkout ready to run, from just Node and npm. Cheap if there is nothing to do. */
export function prepare() {
  checkNode();
  install({ tests: false });
  build();
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  fail(`Ground Control needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.`);
}

/** The test workspace contains the real client (350 MB), so it is installed only for tests. */
export function install({ tests }) {
  const stamp = join(modules, '.groundcontrol');
  // checked every time: npm itself may add packages for other systems to the lock file
  const lock = () =>
    createHash('sha256')
      .update(readFileSync(join(root, 'package-lock.json')))
      .digest('hex');
  const installed = () => (existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : []);
  const isDone = () => installed()[0] === lock() && (!tests || installed()[1] === 'tests');
  oneAtATime('installs', isDone, ({ wasKilled }) => {
    const keepTests = tests || installed()[1] === 'tests';
    say(keepTests ? 'Installing packages, including those for the tests…' : 'Installing packages…');
    // npm takes a half-installed package for a complete one
    if (wasKilled) empty(modules);
    const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
    const args = ['install', ...quiet, ...(keepTests ? [] : ['--workspaces=false'])];
    const { status, signal, error } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2] });
    // without releasing the lock: the next start must know
    if (signal) fail(`npm install was ended by ${signal}.`);
    if (error) return `npm could not be run: ${error.message}`;
    if (status !== 0) return `npm install failed (exit code ${status}). See its message above.`;
    // as a new file: if node_modules was copied with hard links, another checkout shares the old one
    rmSync(stamp, { force: true });
    writeFileSync(stamp, `${lock()} ${keepTests ? 'tests' : 'app'}`);
  });
}

export const SDK = '@anthropic-ai/claude-agent-sdk';
const fetchedSdk = join(modules, '.groundcontrol-sdk', 'package');

/** The Agent SDK's own code, which becomes part of the build. With the tests it is a package like any other. */
export function sdkFolder() {
  const installed = join(modules, SDK);
  return existsSync(join(installed, 'sdk.mjs')) ? installed : fetchedSdk;
}

/**
 * As a dependency, the SDK would pull in a 350 MB client that people already have or don't need. So we fetch only its own archive (1 MB), with the
 * version and checksum from our lock file.
 */
function fetchSdk() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version, integrity } = packages[`node_modules/${SDK}`];
  const stamp = join(dirname(fetchedSdk), 'version');
  const isFetched = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === integrity;
  const isDone = () => existsSync(join(modules, SDK, 'sdk.mjs')) || isFetched();
  oneAtATime('fetches', isDone, () => {
    const folder = dirname(fetchedSdk);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const args = ['pack', `${SDK}@${version}`, '--pack-destination', folder, '--json', '--loglevel=error'];
    const packed = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
    if (packed.status !== 0) return `npm couldn't fetch ${SDK}@${version}. See its message above.`;
    const archive = join(folder, JSON.parse(packed.stdout)[0].filename);
    const [algorithm] = integrity.split('-');
    const hash = createHash(algorithm).update(readFileSync(archive)).digest('base64');
    if (integrity !== `${algorithm}-${hash}`)
      return `${SDK}@${version} doesn't match the checksum in package-lock.json (${integrity}).`;
    const { status } = spawnSync('tar', ['-xzf', archive, '-C', folder], { stdio: ['ignore', 2, 2] });
    if (status !== 0) return `${archive} could not be unpacked with tar.`;
    rmSync(archive);
    writeFileSync(stamp, integrity);
  });
}

export function build() {
  fetchSdk();
  const stamp = join(root, 'dist', '.sources');
  const sources = fingerprint(['src', 'web', 'package-lock.json', 'scripts/build.mjs', 'scripts/light-contract.mjs']);
  const isDone = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
  oneAtATime('builds', isDone, () => {
    say('Building…');
    // in a separate process: the bundlers' memory must not stay with a daemon that starts from here
    const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs'), sources], {
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) return `The build failed (exit code ${status}). See its message above.`;
  });
}

/** `work` returns an error message if it failed. */
function oneAtATime(what, isDone, work) {
  if (isDone()) return;
  const failure = withLock(join(modules, `.groundcontrol-${what}`), {
    onWait: () => say(`Another start ${what}; waiting for it…`),
    work: (state) => (isDone() ? undefined : work(state)),
  });
  if (failure) fail(failure);
}

/** Ignores our own files in it. */
function empty(folder) {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('.groundcontrol')) rmSync(join(folder, name), { recursive: true });
  }
}

/** Names, sizes and times of the sources: a few milliseconds, where hashing contents would slow down every start. */
function fingerprint(paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return;
    if (!found.isDirectory()) hash.update(`${path} ${found.size} ${found.mtimeMs}\n`);
    else for (const name of readdirSync(path).sort()) if (name !== 'node_modules') visit(join(path, name));
  };
  for (const path of paths) visit(join(root, path));
  return hash.digest('hex');
}

/** Progress goes to stderr: stdout belongs to the command. */
function say(text) {
  process.stderr.write(`${text}\n`);
}

export function fail(text) {
  say(text);
  process.exit(1);
}
