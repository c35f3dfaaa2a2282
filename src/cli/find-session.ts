import { LiveSession, SessionList } from '../contract/sessions.ts';
import type { Api } from './api.ts';
import { CliError, EXIT } from './exit.ts';

/** The session whose id begins so. One that has left the view is found by its whole id. */
export async function findSession(api: Api, prefix: string): Promise<LiveSession> {
  const { sessions } = await api.get('/api/sessions', SessionList);
  const found = sessions.filter(({ id }) => id.startsWith(prefix));
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const list = found.map(({ id, title }) => `\n  ${id}  ${title}`).join('');
    throw new CliError(`More than one session begins with ${prefix}:${list}`, EXIT.usage);
  }
  return api.get(`/api/sessions/${encodeURIComponent(prefix)}`, LiveSession).catch((error: Error) => {
    if (error instanceof CliError && error.exitCode === EXIT.notRunning) throw error;
    throw new CliError(`No session begins with ${prefix}. \`gctl status\` lists them.`);
  });
}
