import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';

/** Routes of one domain, ready to be registered. */
export type Routes = FastifyPluginAsyncZod;
