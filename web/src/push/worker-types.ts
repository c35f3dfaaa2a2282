/*
 * The parts of the service worker API that we use. TypeScript's own library for it conflicts with the one for pages.
 */
export interface WorkerScope {
  readonly location: Location;
  readonly registration: WorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<PageClient[]>;
    openWindow(url: string): Promise<PageClient | null>;
  };
  readonly navigator: Navigator;
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof WorkerEvents>(name: Name, listen: (event: WorkerEvents[Name]) => void): void;
}

interface WorkerRegistration {
  getNotifications(filter?: { tag?: string }): Promise<ShownNotification[]>;
  showNotification(title: string, options: NotificationOptions & { actions?: NotificationAction[] }): Promise<void>;
}

export interface ShownNotification {
  readonly data: unknown;
  close(): void;
}

interface NotificationAction {
  action: string;
  title: string;
}

interface PageClient {
  readonly url: string;
  focus(): Promise<PageClient>;
  navigate(url: string): Promise<PageClient | null>;
}

interface WaitingEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface WorkerEvents {
  fetch: { readonly request: Request; respondWith(response: Promise<Response>): void };
  install: WaitingEvent;
  activate: WaitingEvent;
  push: WaitingEvent & { readonly data: { json(): unknown } | null };
  notificationclick: WaitingEvent & { readonly notification: ShownNotification; readonly action: string };
}
