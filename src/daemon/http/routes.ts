import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { FastifyPluginAsyncZod, ZodTypeProvider } from 'fastify-type-provider-zod';

/** Routes of one domain, ready to be registered. */
export type Routes = FastifyPluginAsyncZod;

type TypedApp = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;

/** Routes of one domain, once it is known what they work on. */
export function routesOf<Context>(
  register: (app: TypedApp, context: Context) => void | Promise<void>,
): (context: Context) => Routes {
  return (context) => async (app) => register(app, context);
}
