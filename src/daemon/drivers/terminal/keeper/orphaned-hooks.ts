import { connect } from 'node:net';
import { dirname } from 'node:path';
import { getStatus } from '../../../../contract/routes/daemon.ts';
import { isRunning } from '../../../../system/is-running.ts';
import { DataDir } from '../../../data-dir.ts';
import { type FoundHook, findHooks, removeHooks } from '../settings/edit-settings.ts';
import { editSettingsFile, readSettings, settingsPath } from '../settings/settings-file.ts';

const CONNECT_MS = 500;
const ANSWER_MS = 500;
const OUR_REFUSAL = /^\{"error":\{"code":"(?:access|auth|daemon|request)\.\w+"/;

/**
 * Removes the hooks if their daemon is dead: the client shows an error for every HTTP hook that nothing answers. Safe against a daemon that
 * is just starting: it listens before it registers, and if the file changed since it was read, it is left alone.
 */
export async function removeOrphanedHooks({ configDir, standIn }: OrphanOptions): Promise<{ changed: boolean }> {
  const path = settingsPath(configDir);
  const seen = readSettings(configDir);
  const others = findHooks(seen, path).filter(({ port }) => port === undefined || port !== standIn?.port);
  if (await findListener(others)) return { changed: false };
  const edit = (before: string | undefined) => (before === seen ? removeHooks(before, path) : before);
  return editSettingsFile({ configDir, edit, isOriginal: () => false });
}

interface OrphanOptions {
  configDir: string;
  /** Who listens in the dead daemon's place. */
  standIn?: { port: number } | undefined;
}

/** The port the hooks call if nothing listens there, and if there is exactly one. */
export async function findOrphanedPort(configDir: string): Promise<number | undefined> {
  const hooks = findHooks(readSettings(configDir), settingsPath(configDir));
  const [port, ...more] = new Set(hooks.flatMap((hook) => hook.port ?? []));
  return more.length > 0 || (await findListener(hooks)) ? undefined : port;
}

/** The port of a live daemon that one of these hooks calls. Another program that took the port since doesn't count. */
export async function findListener(hooks: Pick<FoundHook, 'port' | 'tokenFile'>[]): Promise<number | undefined> {
  for (const port of new Set(hooks.flatMap((hook) => hook.port ?? []))) {
    if (!(await isListening(port))) continue;
    const answer = await askStatus(port);
    if (answer === 'ours' || (answer === 'silent' && mayBeBusy(hooks, port))) return port;
  }
  return undefined;
}

/** Ground Control refuses an unauthenticated status request with its own error format. */
async function askStatus(port: number): Promise<'ours' | 'strange' | 'silent'> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${getStatus.path}`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return OUR_REFUSAL.test(await answer.text()) ? 'ours' : 'strange';
  } catch {
    return 'silent';
  }
}

/** A busy daemon answers late, and has said in its data dir that it runs there. Where the data dir is not known, the doubt stays. */
function mayBeBusy(hooks: Pick<FoundHook, 'port' | 'tokenFile'>[], port: number): boolean {
  const files = hooks.filter((hook) => hook.port === port).flatMap(({ tokenFile }) => tokenFile ?? []);
  if (files.length === 0) return true;
  return [...new Set(files.map((file) => dirname(file)))].some((dataDir) => {
    const daemon = new DataDir(dataDir).daemonFile();
    return daemon?.port === port && isRunning(daemon.pid);
  });
}

/** One that doesn't answer in time is busy, not dead. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: CONNECT_MS });
    const settle = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
