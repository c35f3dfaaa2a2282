import { dice as diceOf } from '../fuzz/dice.ts';
import { type FuzzCase, makeCase, routesIn, sendCase } from './route-fuzz.ts';

interface RunOptions {
  url: string;
  admin: string;
  viewer: string;
  ids: readonly string[];
  seed: number;
  forMs: number;
  /** Bytes in use after garbage collection, sampled a few times. */
  memory: () => number | Promise<number>;
}

export interface FuzzReport {
  sent: number;
  routes: number;
  byStatus: Record<string, number>;
  /** Responses of 500 and above, and hangs. */
  failures: string[];
  /** From the end of the first third to the end. */
  grownBytes: number;
}

const AT_ONCE = 4;

/** Calls every route of the daemon's own OpenAPI document, over and over, with almost valid input. */
export async function runRouteFuzz({ url, admin, viewer, ids, seed, forMs, memory }: RunOptions): Promise<FuzzReport> {
  const document = await (
    await fetch(`${url}/api/openapi.json`, { headers: { authorization: `Bearer ${admin}` } })
  ).json();
  const routes = routesIn(document as Parameters<typeof routesIn>[0]);
  const dice = diceOf(seed);
  const options = { url, tokens: [admin, admin, admin, viewer, undefined], ids, dice };
  const byStatus: Record<string, number> = {};
  const failures: string[] = [];
  const start = Date.now();
  let sent = 0;
  let early: number | undefined;

  async function tryOne(one: FuzzCase): Promise<void> {
    try {
      const { status, text } = await sendCase(one, url);
      byStatus[String(status ?? 'cut')] = (byStatus[String(status ?? 'cut')] ?? 0) + 1;
      if ((status ?? 0) >= 500 && !isExpected(text))
        failures.push(
          `${status} ${one.method} ${one.path.slice(0, 200)} ${(one.body ?? '').slice(0, 300)}: ${text.slice(0, 300)}`,
        );
    } catch (error) {
      failures.push((error as Error).message);
    }
  }

  while (Date.now() - start < forMs && failures.length < 20) {
    // every route gets a turn, whatever the dice say
    for (let at = 0; at < routes.length && Date.now() - start < forMs; at += AT_ONCE) {
      const cases = routes.slice(at, at + AT_ONCE).map((route) => makeCase(route, options));
      sent += cases.length;
      await Promise.all(cases.map(tryOne));
    }
    if (early === undefined && Date.now() - start > forMs / 3) early = await memory();
  }
  const late = await memory();
  return { sent, routes: routes.length, byStatus, failures, grownBytes: late - (early ?? late) };
}

/** A test daemon has no built page and no index. */
const isExpected = (text: string): boolean =>
  /"code":"(web\.not_built|transcripts\.[a-z_]+|history\.[a-z_]+)"/.test(text);
