/** The page comes first: nothing here is needed to look at the board. */
const PAUSE_MS = 6_000;

/** An app on a home screen has no browser around it that would say that it is offline. */
const IS_APP = '(display-mode: standalone), (pointer: coarse)';

/** Tells the daemon about this browser's push subscription, if it has one. On a phone, makes the offline page available. */
export function refreshPushLater(): void {
  if ('serviceWorker' in navigator && window.matchMedia(IS_APP).matches)
    setTimeout(async () => {
      const { register } = await import('./subscription.ts');
      // some private windows refuse it
      await register().catch(() => undefined);
    }, PAUSE_MS);
  if (!('Notification' in window) || Notification.permission !== 'granted' || !('serviceWorker' in navigator)) return;
  setTimeout(async () => {
    const { refreshSubscription } = await import('./subscription.ts');
    // the daemon is away, or this browser is signed out: the next time the page is opened is soon enough
    await refreshSubscription().catch(() => undefined);
  }, PAUSE_MS);
}
