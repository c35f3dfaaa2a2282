import * as routes from '../../contract/routes/prices.ts';
import type { Core } from '../core.ts';
import type { PriceBook } from '../transcripts/prices/price-book.ts';
import type { Transcripts } from '../transcripts/transcripts.ts';
import { actorName } from './actor-name.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface PricesContext {
  priceBook: PriceBook;
  transcripts: Transcripts;
  record: Core['record'];
}

export const priceRoutes = routesOf<PricesContext>((app, { priceBook, transcripts, record }) => {
  serve(app, routes.listPrices, () => priceBook.list());
  serve(app, routes.setPrices, async ({ body, device }) => {
    const list = priceBook.setOverrides(body.overrides);
    await transcripts.reprice();
    const names = body.overrides.map(({ model }) => model);
    const detail = names.length > 0 ? `custom prices for ${names.join(', ')}` : 'no custom prices';
    const payload = { models: names, by: actorName(device), detail };
    await record({ sessionId: '', source: 'operator', name: 'prices.changed', payload });
    return list;
  });
});
