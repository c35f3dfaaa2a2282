import { afterEach, expect, it, vi } from 'vitest';
import { showNotice } from './show-notice.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const notice = { title: 'Needs permission', body: '', tag: 's1', onOpen: () => undefined };

it('is shown if the browser supports it', () => {
  const shown: string[] = [];
  vi.stubGlobal(
    'Notification',
    class {
      constructor(title: string) {
        shown.push(title);
      }
    },
  );
  expect(showNotice(notice)).toBe(true);
  expect(shown).toEqual(['Needs permission']);
});

it('fails quietly in a browser that only claims to', () => {
  vi.stubGlobal(
    'Notification',
    class {
      constructor() {
        throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.');
      }
    },
  );
  expect(showNotice(notice)).toBe(false);
});
