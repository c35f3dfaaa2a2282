/** Runs after the page has loaded, because the board doesn't need any of it. */
const PAUSE_MS = 6_000;

/** An installed app has no browser UI to say that it is offline. */
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
    // the daemon is down, or this browser is signed out: retry the next time the page is opened
    await refreshSubscription().catch(() => undefined);
  }, PAUSE_MS);
}
