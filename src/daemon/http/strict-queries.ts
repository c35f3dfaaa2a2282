import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { API_PREFIX } from '../../contract/routes/route.ts';

/** Under /api, unknown query parameters are refused: a misspelled filter must not look like one that matches everything. */
export function strictQueries(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith(API_PREFIX)) return;
    const known = route.schema?.querystring ?? z.object({});
    if (!(known instanceof z.ZodObject)) throw new Error(`${route.url}: its query isn't an object`);
    const names = Object.keys(known.shape);
    const querystring = z.strictObject(known.shape, {
      error: ({ code, keys }) => (code === 'unrecognized_keys' ? describe(keys as string[], names) : undefined),
    });
    route.schema = { ...route.schema, querystring };
  });
}

function describe(unknown: string[], names: string[]): string {
  const what = unknown.map((name) => `no parameter "${name}"`).join(', ');
  return names.length > 0 ? `there is ${what}. Use ${names.join(', ')}.` : `there is ${what}: this route takes none.`;
}
