import { PriceList, PriceOverrides } from '../../contract/prices.ts';
import type { Core } from '../core.ts';
import type { PriceBook } from '../transcripts/prices/price-book.ts';
import type { Transcripts } from '../transcripts/transcripts.ts';
import { actorName } from './actor-name.ts';
import type { Routes } from './routes.ts';

interface PricesContext {
  priceBook: PriceBook;
  transcripts: Transcripts;
  record: Core['record'];
}

export const priceRoutes =
  ({ priceBook, transcripts, record }: PricesContext): Routes =>
  async (app) => {
    const tags = ['prices'];

    app.get('/api/prices', { schema: { tags, response: { 200: PriceList } } }, async () => priceBook.list());

    app.put(
      '/api/prices',
      { schema: { tags, body: PriceOverrides, response: { 200: PriceList } } },
      async ({ body, device }) => {
        const list = priceBook.setOverrides(body.overrides);
        await transcripts.reprice();
        const names = body.overrides.map(({ model }) => model);
        const detail = names.length > 0 ? `own prices for ${names.join(', ')}` : 'no own prices';
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
