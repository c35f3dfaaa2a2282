import type { Page } from 'playwright-core';

export interface Shot {
  /** The file name, before size and theme. */
  name: string;
  path: string;
  /** Actions on the page before the screenshot is taken. */
  prepare?: (page: Page) => Promise<void>;
}

/** Finds a demo session by part of its title. */
export type FindSession = (title: string) => string;

export function pagesOf(session: FindSession): Shot[] {
  return [
    { name: 'board', path: '/' },
    { name: 'board-by-project', path: '/?by=project' },
    { name: 'grid', path: '/?view=grid' },
    { name: 'list', path: '/?view=list' },
    { name: 'monitor', path: '/?view=monitor' },
    { name: 'inbox', path: '/inbox' },
    { name: 'session', path: `/sessions/${session('webhooks.test.ts')}` },
    { name: 'session-agents', path: `/sessions/${session('hard-coded color')}` },
    { name: 'session-plan', path: `/sessions/${session('append-only ledger')}` },
    { name: 'rules', path: '/rules' },
    { name: 'reviews', path: '/reviews' },
    { name: 'history', path: '/history' },
    { name: 'search', path: '/history?q=seasonal+baseline' },
    { name: 'stats', path: '/stats' },
    { name: 'audit', path: '/audit' },
    { name: 'settings', path: '/settings' },
    { name: 'palette', path: '/', prepare: (page) => page.keyboard.press('ControlOrMeta+k') },
  ];
}
