import { addressOf } from '../../../src/contract/address.ts';
import type { PushMessage } from '../../../src/contract/notify.ts';
import { decideApproval } from '../../../src/contract/routes/approvals.ts';
import { BASE_PATH } from '../api/base-path.ts';
import { send } from '../api/send.ts';
import { lastReached, noteReached } from './last-reached.ts';
import { offlinePage } from './offline-page.ts';
import { flushReceipts, sendReceipt } from './receipts.ts';
import type { ShownNotification, WorkerScope } from './worker-types.ts';

/*
 * Shows push notifications, confirms that they were shown, and lets the operator answer from the notification if that is enabled. It caches nothing:
 * an outdated page would be worse than one that says how old it is.
 */
declare const self: WorkerScope;

const ICON = `${BASE_PATH}/icons/icon-192.png`;
/** How long the outcome stays before it is removed. */
const OUTCOME_MS = 4_000;

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), flushReceipts()])));

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(openPage(event.request));
});

/** Only if the machine can't be reached at all. Any response it gives is shown unchanged. */
async function openPage(request: Request): Promise<Response> {
  try {
    const page = await fetch(request);
    await noteReached();
    return page;
  } catch (error) {
    if (error instanceof TypeError) return offlinePage(await lastReached(), new URL(request.url).pathname);
    throw error;
  }
}

self.addEventListener('push', (event) => {
  const message = event.data?.json() as PushMessage | undefined;
  if (message) event.waitUntil(receive(message));
});

async function receive(message: PushMessage): Promise<void> {
  // iOS doesn't replace a notification with the same tag, so close the old one first
  await closeAll(message.tag);
  await show(message);
  await Promise.all([setBadge(message.waiting), sendReceipt(message)]);
  // browsers require every push to show something, even one that only removes a notification; that one can go right away
  if (message.part === 'settled') await closeLater(message.tag);
}

async function show(message: PushMessage): Promise<void> {
  const isQuiet = message.part === 'settled';
  await self.registration.showNotification(message.title, {
    body: message.body,
    tag: message.tag,
    icon: ICON,
    badge: ICON,
    silent: isQuiet,
    requireInteraction: !isQuiet,
    data: message,
    // Safari doesn't support actions, so a tap opens the page, which has both answers
    ...(message.blind && message.approvalId
      ? {
          actions: [
            { action: 'allow', title: 'Allow' },
            { action: 'deny', title: 'Deny' },
          ],
        }
      : {}),
  });
}

self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  notification.close();
  event.waitUntil(action === 'allow' || action === 'deny' ? answer(notification, action) : open(notification));
});

async function answer(notification: ShownNotification, decision: 'allow' | 'deny'): Promise<void> {
  const message = notification.data as PushMessage;
  const failure = await decide(message.approvalId ?? '', decision);
  const title = failure ?? (decision === 'allow' ? 'Allowed' : 'Denied');
  const body = failure === undefined ? message.title : `${message.title}. Tap to open it.`;
  await self.registration.showNotification(title, {
    body,
    tag: message.tag,
    icon: ICON,
    badge: ICON,
    silent: failure === undefined,
    data: message,
  });
  if (failure === undefined) await closeLater(message.tag);
}

/** Why it couldn't be decided. undefined: it was decided. */
async function decide(id: string, decision: 'allow' | 'deny'): Promise<string | undefined> {
  try {
    const response = await send(addressOf(decideApproval, { params: { id } }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ decision }),
    });
    if (response.ok) return undefined;
    const { error } = (await response.json()) as { error?: { message?: string } };
    return error?.message ?? `The server responded with ${response.status}`;
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return "Can't reach Ground Control. Not answered";
    throw error;
  }
}

async function open(notification: ShownNotification): Promise<void> {
  const { url } = notification.data as PushMessage;
  const address = new URL(BASE_PATH + url, self.location.origin).href;
  const [page] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!page) {
    await self.clients.openWindow(address);
    return;
  }
  // before navigating, because some systems ignore a later focus
  const focused = await page.focus();
  await focused.navigate(address);
}

async function closeAll(tag: string): Promise<void> {
  for (const shown of await self.registration.getNotifications({ tag })) shown.close();
}

async function closeLater(tag: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, OUTCOME_MS));
  await closeAll(tag);
}

async function setBadge(waiting: number): Promise<void> {
  if (!('setAppBadge' in self.navigator)) return;
  // not installed, or the system doesn't support badges
  await self.navigator.setAppBadge(waiting).catch(() => undefined);
}
