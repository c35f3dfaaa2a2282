import { setImmediate as nextTurn } from 'node:timers/promises';
import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

/** As the plugin passes it: the version decides how schemas are written. */
const OPENAPI = { openapi: '3.0.3' };
type Transformed = ReturnType<typeof jsonSchemaTransform>;

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document. */
    describeApi(): Promise<object>;
  }
}

/** Describes all routes by their schemas. Two hundred at once would keep hooks waiting, so they are translated one by one. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  const made = new WeakMap<FastifySchema, Transformed>();
  const found: { schema: FastifySchema; url: string; route: RouteOptions }[] = [];
  app.addHook('onRoute', (route) => {
    if (route.schema) found.push({ schema: route.schema, url: route.url, route });
  });
  await app.register(fastifySwagger, {
    openapi: {
      info: { title: 'Ground Control', version, description: 'One API for the web app, the CLI and scripts.' },
    },
    transform: (input) => made.get(input.schema) ?? jsonSchemaTransform(input as never),
  });
  app.decorate('describeApi', async () => {
    for (const { schema, url, route } of found) {
      if (made.has(schema)) continue;
      made.set(schema, jsonSchemaTransform({ schema, url, route, openapiObject: OPENAPI } as never));
      await nextTurn();
    }
    return app.swagger();
  });
}
