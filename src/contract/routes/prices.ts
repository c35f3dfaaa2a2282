import { PriceList, PriceOverrides } from '../prices.ts';
import { route } from './route.ts';

const tag = 'prices';

export const listPrices = route({ method: 'GET', path: '/api/prices', tag, answer: PriceList });
export const setPrices = route({
  method: 'PUT',
  path: '/api/prices',
  tag,
  role: 'admin',
  body: PriceOverrides,
  answer: PriceList,
});
