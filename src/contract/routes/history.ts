import { CostCheck, HistoryDetail, HistoryPage, HistoryQuery, IndexStatus } from '../history.ts';
import { SearchPage, SearchQuery } from '../search.ts';
import { Activity, Stats, StatsQuery } from '../stats.ts';
import { ById, route } from './route.ts';

const tag = 'history';

export const listHistory = route({
  method: 'GET',
  path: '/api/history',
  tag,
  query: HistoryQuery,
  answer: HistoryPage,
});
export const getIndexStatus = route({ method: 'GET', path: '/api/history/status', tag, answer: IndexStatus });
export const checkCosts = route({ method: 'GET', path: '/api/history/costs', tag, answer: CostCheck });
export const getHistoryDetail = route({
  method: 'GET',
  path: '/api/history/:id',
  tag,
  params: ById,
  answer: HistoryDetail,
});
export const search = route({ method: 'GET', path: '/api/search', tag, query: SearchQuery, answer: SearchPage });
export const getStats = route({ method: 'GET', path: '/api/stats', tag, query: StatsQuery, answer: Stats });
export const getActivity = route({
  method: 'GET',
  path: '/api/stats/activity',
  tag,
  query: StatsQuery.omit({ by: true }),
  answer: Activity,
});
