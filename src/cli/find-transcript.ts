import type { Client } from '../client/client.ts';
import type { HistoryPage } from '../contract/history.ts';
import { listHistory } from '../contract/routes/history.ts';
import { listSessions } from '../contract/routes/sessions.ts';
import { CliError, EXIT } from './exit.ts';

/** A full id needs no lookup, and works for a session that isn't indexed yet. */
const WHOLE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The session, on the board or on disk, whose id starts with this. */
export async function findSessionId(api: Client, prefix: string): Promise<string> {
  if (WHOLE_ID.test(prefix)) return prefix;
  const { sessions } = await api.call(listSessions);
  const ids = new Set(sessions.map(({ id }) => id));
  if (!ids.has(prefix)) for await (const id of idsOnDisk(api)) ids.add(id);
  const found = [...ids].filter((id) => id.startsWith(prefix));
  if (ids.has(prefix)) return prefix;
  if (found.length > 1) {
    const some = found.slice(0, 5).map((id) => id.slice(0, Math.max(12, prefix.length + 4)));
    throw new CliError(`${found.length} sessions match ${prefix}: ${some.join(', ')}`, EXIT.usage);
  }
  if (!found[0]) throw new CliError(`No session matches ${prefix}. See gctl history or gctl search.`);
  return found[0];
}

async function* idsOnDisk(api: Client): AsyncGenerator<string> {
  for (let offset: number | null = 0; offset !== null; ) {
    const page: HistoryPage = await api.call(listHistory, { query: { limit: 200, offset } });
    for (const { id } of page.sessions) yield id;
    offset = page.nextOffset;
  }
}
