import type { Client } from '../client/client.ts';
import { listSessions } from '../contract/routes/sessions.ts';
import type { LiveSession } from '../contract/sessions.ts';
import { CliError, EXIT } from './exit.ts';

/** One live session for each id prefix, or an error that lists the candidates. */
export async function findSessions(api: Client, prefixes: string[]): Promise<LiveSession[]> {
  const { sessions } = await api.call(listSessions);
  return [...new Set(prefixes.map((prefix) => findOne(sessions, prefix)))];
}

export async function findSession(api: Client, prefix: string): Promise<LiveSession> {
  const [session] = await findSessions(api, [prefix]);
  return session!;
}

function findOne(sessions: LiveSession[], prefix: string): LiveSession {
  const named = sessions.filter(({ orchestration }) => orchestration?.name === prefix);
  if (named[0] && named.length === 1) return named[0];
  const found = sessions.filter(({ id }) => id.startsWith(prefix));
  const exact = found.find(({ id }) => id === prefix) ?? found[0];
  if (exact && (found.length === 1 || exact.id === prefix)) return exact;
  if (found.length > 1)
    throw new CliError(
      `More than one session matches ${prefix}: ${found.map(({ id }) => id.slice(0, 12)).join(', ')}`,
      EXIT.usage,
    );
  throw new CliError(`No session matches ${prefix}. See gctl status.`);
}
