import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { BASE_PATH } from '../api/base-path.ts';
import { BoardPage } from '../board/board-page.tsx';
import { flag, oneOf, searchOf, text, time } from './address-fields.ts';
import { loadPage } from './load-part.ts';
import { LostPage, PageFailure } from './page-failure.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: LostPage, errorComponent: PageFailure });

export const VIEWS = ['board', 'grid', 'list', 'monitor'] as const;
export type View = (typeof VIEWS)[number];

const board = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: BoardPage,
  validateSearch: searchOf({ view: oneOf(VIEWS), by: oneOf(['project', 'branch']), filter: text }),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  validateSearch: searchOf({ open: text }),
  component: lazyRouteComponent(
    loadPage(() => import('../inbox/inbox-page.tsx')),
    'InboxPage',
  ),
});

const session = createRoute({
  getParentRoute: () => root,
  path: '/sessions/$sessionId',
  validateSearch: searchOf({ tab: text, agent: text, message: text, at: time, find: text, file: text }),
  component: lazyRouteComponent(
    loadPage(() => import('../session/session-page.tsx')),
    'SessionPage',
  ),
});

const history = createRoute({
  getParentRoute: () => root,
  path: '/history',
  validateSearch: searchOf({
    q: text,
    sort: oneOf(['recent', 'cost', 'tokens']),
    show: oneOf(['messages', 'sessions']),
  }),
  component: lazyRouteComponent(
    loadPage(() => import('../history/history-page.tsx')),
    'HistoryPage',
  ),
});

const stats = createRoute({
  getParentRoute: () => root,
  path: '/stats',
  validateSearch: searchOf({ by: oneOf(['day', 'week', 'month']), range: text }),
  component: lazyRouteComponent(
    loadPage(() => import('../stats/stats-page.tsx')),
    'StatsPage',
  ),
});

const rules = createRoute({
  getParentRoute: () => root,
  path: '/rules',
  validateSearch: searchOf({ rule: text }),
  component: lazyRouteComponent(
    loadPage(() => import('../rules/rules-page.tsx')),
    'RulesPage',
  ),
});

const reviews = createRoute({
  getParentRoute: () => root,
  path: '/reviews',
  component: lazyRouteComponent(
    loadPage(() => import('../reviews/reviews-page.tsx')),
    'ReviewsPage',
  ),
});

const worktrees = createRoute({
  getParentRoute: () => root,
  path: '/worktrees',
  component: lazyRouteComponent(
    loadPage(() => import('../worktrees/worktrees-page.tsx')),
    'WorktreesPage',
  ),
});

const queue = createRoute({
  getParentRoute: () => root,
  path: '/queue',
  component: lazyRouteComponent(
    loadPage(() => import('../queue/queue-page.tsx')),
    'QueuePage',
  ),
});

const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  validateSearch: searchOf({ project: text }),
  component: lazyRouteComponent(
    loadPage(() => import('../blueprints/blueprints-page.tsx')),
    'BlueprintsPage',
  ),
});

const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$scope/$name',
  validateSearch: searchOf({ project: text, new: flag }),
  component: lazyRouteComponent(
    loadPage(() => import('../blueprints/blueprint-page.tsx')),
    'BlueprintPage',
  ),
});

const fanOuts = createRoute({
  getParentRoute: () => root,
  path: '/fan-outs',
  component: lazyRouteComponent(
    loadPage(() => import('../fan-outs/fan-outs-page.tsx')),
    'FanOutsPage',
  ),
});

const fanOut = createRoute({
  getParentRoute: () => root,
  path: '/fan-outs/$fanOutId',
  component: lazyRouteComponent(
    loadPage(() => import('../fan-outs/fan-out-page.tsx')),
    'FanOutPage',
  ),
});

const worktree = createRoute({
  getParentRoute: () => root,
  path: '/worktrees/$worktreeId',
  component: lazyRouteComponent(
    loadPage(() => import('../worktrees/worktree-page.tsx')),
    'WorktreePage',
  ),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: searchOf({ action: text, by: text, session: text }),
  component: lazyRouteComponent(
    loadPage(() => import('../audit/audit-page.tsx')),
    'AuditPage',
  ),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(
    loadPage(() => import('../settings/settings-page.tsx')),
    'SettingsPage',
  ),
});

export const router = createRouter({
  routeTree: root.addChildren([
    board,
    inbox,
    session,
    history,
    worktrees,
    worktree,
    queue,
    agents,
    agent,
    fanOuts,
    fanOut,
    stats,
    rules,
    reviews,
    audit,
    settings,
  ]),
  ...(BASE_PATH === '' ? {} : { basepath: BASE_PATH }),
  defaultPreload: 'intent',
  // Rendered in place of the page, so the navigation stays.
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
