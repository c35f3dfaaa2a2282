import { connect } from 'node:net';
import { getStatus } from '../../../../contract/routes/daemon.ts';
import { type FoundHook, findHooks, removeHooks } from '../settings/edit-settings.ts';
import { editSettingsFile, readSettings, settingsPath } from '../settings/settings-file.ts';

const CONNECT_MS = 500;
const ANSWER_MS = 500;
const OUR_REFUSAL = /^\{"error":\{"code":"(?:access|auth|daemon|request)\.\w+"/;

/**
 * Takes the hooks out if the daemon they call is dead: the client shows an error at every event whose http hook
 * finds nobody. Safe against a daemon that is just starting: it listens before it registers, and if the file
 * has changed since it was looked at, it stays.
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

/** The port that the hooks call and where nobody listens, if there is just one. */
export async function findOrphanedPort(configDir: string): Promise<number | undefined> {
  const hooks = findHooks(readSettings(configDir), settingsPath(configDir));
  const [port, ...more] = new Set(hooks.flatMap((hook) => hook.port ?? []));
  return more.length > 0 || (await findListener(hooks)) ? undefined : port;
}

/** The port of a living daemon that one of these hooks calls. Another program that got the port since is none. */
export async function findListener(hooks: Pick<FoundHook, 'port'>[]): Promise<number | undefined> {
  for (const port of new Set(hooks.flatMap((hook) => hook.port ?? []))) {
    if ((await isListening(port)) && !(await isStranger(port))) return port;
  }
  return undefined;
}

/**
 * Ground Control refuses a status without credentials in its own words. Whatever does not answer in time, or speaks no HTTP, may be a busy
 * daemon.
 */
async function isStranger(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${getStatus.path}`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return !OUR_REFUSAL.test(await answer.text());
  } catch {
    return false;
  }
}

/** One that does not answer in time is busy, not dead. */
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
