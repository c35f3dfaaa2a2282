/** The page comes first: nothing here is needed to look at the board. */
const PAUSE_MS = 6_000;

/** Tells the daemon about this browser's push subscription, if it has one. */
export function refreshPushLater(): void {
  if (!('Notification' in window) || Notification.permission !== 'granted' || !('serviceWorker' in navigator)) return;
  setTimeout(async () => {
    const { refreshSubscription } = await import('./subscription.ts');
    // the daemon is away, or this browser is signed out: the next time the page is opened is soon enough
    await refreshSubscription().catch(() => undefined);
  }, PAUSE_MS);
}
