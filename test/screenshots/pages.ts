import type { Page } from 'playwright-core';

export interface Shot {
  /** The name of the file, before size and theme. */
  name: string;
  path: string;
  /** What is done on the page before the picture is taken. */
  prepare?: (page: Page) => Promise<void>;
}

/** Finds a session of the demo by a part of its title. */
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
