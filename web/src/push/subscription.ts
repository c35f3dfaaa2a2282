import type { ChannelMade } from '../../../src/contract/notify.ts';
import { readPushKey, subscribePush } from '../../../src/contract/routes/notify.ts';
import { BASE_PATH } from '../api/base-path.ts';
import { call } from '../api/request.ts';
import { flushReceipts } from './receipts.ts';

/** Whether this browser can get notifications while the page is closed, and if not, how to fix that. */
export type PushSupport = 'ready' | 'insecure' | 'install' | 'unsupported';

export function pushSupport(): PushSupport {
  if (!window.isSecureContext) return 'insecure';
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'ready';
  // iOS supports push only for apps on the home screen
  return /iPhone|iPad/.test(navigator.userAgent) && !isInstalled() ? 'install' : 'unsupported';
}

function isInstalled(): boolean {
  return window.matchMedia('(display-mode: standalone)').matches;
}

export class PushRefused extends Error {}

/** Asks for permission, subscribes this browser and tells the daemon. */
export async function subscribe(): Promise<ChannelMade> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new PushRefused(
      'Your browser blocks notifications for this page. Allow them in the site settings next to the address, then try again.',
    );
  const registration = await register();
  const { publicKey } = await call(readPushKey);
  const known = await registration.pushManager.getSubscription();
  if (known && !isFor(known, publicKey)) await known.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(publicKey),
  });
  return tell(subscription);
}

export async function unsubscribe(): Promise<void> {
  const subscription = await current();
  await subscription?.unsubscribe();
}

/** The browser may have renewed its subscription, or the daemon may have given up on it. Opening the page fixes both. */
export async function refreshSubscription(): Promise<void> {
  if (pushSupport() !== 'ready' || Notification.permission !== 'granted') return;
  const subscription = await current();
  if (!subscription) return;
  await register();
  await Promise.all([tell(subscription), flushReceipts()]);
}

export async function current(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(`${BASE_PATH}/`);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

export async function register(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(`${BASE_PATH}/sw.js`, { scope: `${BASE_PATH}/` });
  return navigator.serviceWorker.ready;
}

function tell(subscription: PushSubscription): Promise<ChannelMade> {
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  return call(subscribePush, { body: { endpoint, keys: { p256dh, auth } } });
}

function isFor({ options }: PushSubscription, publicKey: string): boolean {
  const used = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return bytesOf(publicKey).every((byte, index) => byte === used[index]);
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
