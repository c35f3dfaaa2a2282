import { addressOf } from '../../../src/contract/address.ts';
import type { PushMessage } from '../../../src/contract/notify.ts';
import { decideApproval } from '../../../src/contract/routes/approvals.ts';
import { send } from '../api/send.ts';
import { lastReached, noteReached } from './last-reached.ts';
import { offlinePage } from './offline-page.ts';
import { flushReceipts, sendReceipt } from './receipts.ts';
import type { ShownNotification, WorkerScope } from './worker-types.ts';

/*
 * Shows what the daemon pushes, proves that it was shown, and answers from the notification itself where the operator allows it.
 * It caches nothing: a page that is out of date would be worse than one that says since when.
 */
declare const self: WorkerScope;

const ICON = '/icons/icon-192.png';
/** How long the outcome stays before it goes away by itself. */
const OUTCOME_MS = 4_000;

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), flushReceipts()])));

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(openPage(event.request));
});

/** Only when the machine can't be reached at all; what it answers is shown as it is. */
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
  // iOS stacks cards with the same tag, so the old one is closed first
  await closeAll(message.tag);
  await show(message);
  await Promise.all([setBadge(message.waiting), sendReceipt(message)]);
  // every push has to show something, also one that only takes a card away; that one need not stay
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
    // Safari has no actions: there a tap opens the page with both answers
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

/** Why it was not decided; undefined: it was. */
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
  const address = new URL(url, self.location.origin).href;
  const [page] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!page) {
    await self.clients.openWindow(address);
    return;
  }
  // before navigating: some systems ignore a focus that comes later
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
  // not installed, or the system has no badges
  await self.navigator.setAppBadge(waiting).catch(() => undefined);
}
