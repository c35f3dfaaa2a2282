import type { BrowserContext, Page, Worker } from 'playwright-core';
import type { PushMessage } from '../../src/contract/notify.ts';
import { waitFor } from './wait.ts';

interface Subscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** Chromium can't reach its push service here, so subscribing returns the test's endpoint. Everything else is the browser's own. */
export async function subscribeTo(page: Page, subscription: Subscription): Promise<void> {
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript((given) => {
    let current: unknown = null;
    const made = {
      endpoint: given.endpoint,
      options: { applicationServerKey: new ArrayBuffer(0) },
      toJSON: () => given,
      unsubscribe: async () => {
        current = null;
        return true;
      },
    };
    PushManager.prototype.subscribe = async () => {
      current = made;
      return made as unknown as PushSubscription;
    };
    PushManager.prototype.getSubscription = async () => current as PushSubscription | null;
  }, subscription);
}

/** Does what a push service does with a message: wakes the page's service worker with it. */
export async function pushDeliverer(page: Page): Promise<(text: string) => Promise<void>> {
  const cdp = await page.context().newCDPSession(page);
  const registrations: { registrationId: string; scopeURL: string }[] = [];
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: news }) => registrations.push(...news));
  await cdp.send('ServiceWorker.enable');
  const origin = new URL(page.url()).origin;
  const { registrationId } = await waitFor(
    async () => registrations.find(({ scopeURL }) => scopeURL.startsWith(origin)),
    { what: 'the service worker' },
  );
  return async (text) => {
    await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: text });
  };
}

export async function serviceWorkerOf(context: BrowserContext): Promise<Worker> {
  return waitFor(async () => context.serviceWorkers()[0], { what: 'a running service worker' });
}

/** The notifications on screen. */
export function shownBy(worker: Worker): Promise<{ title: string; actions: string[]; data: PushMessage }[]> {
  return worker.evaluate(async () => {
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
    const shown = (await registration.getNotifications()) as (Notification & { actions?: { action: string }[] })[];
    return shown.map(({ title, data, actions = [] }) => ({
      title,
      data,
      actions: actions.map(({ action }) => action),
    }));
  });
}

/** Taps the first notification, or one of its buttons. */
export async function tap(worker: Worker, action = ''): Promise<void> {
  await worker.evaluate(async (pressed) => {
    const scope = self as unknown as { registration: ServiceWorkerRegistration } & EventTarget;
    const [notification] = await scope.registration.getNotifications();
    const NotificationEvent = (globalThis as Record<string, unknown>).NotificationEvent as new (
      type: string,
      init: object,
    ) => Event;
    scope.dispatchEvent(new NotificationEvent('notificationclick', { notification, action: pressed }));
  }, action);
}
