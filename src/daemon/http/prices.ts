import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { PriceList, PriceOverrides } from '../../contract/prices.ts';
import { actorName } from './actor-name.ts';
import type { Context } from './context.ts';

export const priceRoutes: FastifyPluginAsyncZod<Context> = async (app, { priceBook, transcripts, record }) => {
  const tags = ['prices'];

  app.get('/api/prices', { schema: { tags, response: { 200: PriceList } } }, async () => priceBook.list());

  app.put(
    '/api/prices',
    { schema: { tags, body: PriceOverrides, response: { 200: PriceList } } },
    async ({ body, device }) => {
      const list = priceBook.setOverrides(body.overrides);
      await transcripts.reprice();
      const names = body.overrides.map(({ model }) => model);
      const detail = names.length > 0 ? `custom prices for ${names.join(', ')}` : 'no custom prices';
      await record({
        sessionId: '',
        source: 'operator',
        name: 'prices.changed',
        payload: { models: names, by: actorName(device), detail },
      });
      return list;
    },
  );
};
