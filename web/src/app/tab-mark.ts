import { useEffect } from 'react';

/** The tab's title and icon, and the badge of the installed app: how many requests are waiting, visible while another tab is open. */
export function useTabMark({ requests, live }: { requests: number; live: boolean }) {
  useEffect(() => {
    document.title = requests > 0 ? `(${requests}) Ground Control` : 'Ground Control';
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link) link.href = `data:image/svg+xml,${encodeURIComponent(drawIcon({ requests, live }))}`;
    void setAppBadge(requests);
  }, [requests, live]);
}

/** On the installed app's icon. The service worker sets it while no page is open. */
async function setAppBadge(requests: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  // not installed, or the system doesn't support badges
  await (requests > 0 ? navigator.setAppBadge(requests) : navigator.clearAppBadge()).catch(() => undefined);
}

export function drawIcon({ requests, live }: { requests: number; live: boolean }): string {
  const color = live ? '#3fa97a' : '#8f9d97';
  const scope = `<rect width="32" height="32" rx="7" fill="#14201c"/><g fill="none" stroke="${color}" stroke-width="2.4"><circle cx="16" cy="16" r="10"/><circle cx="16" cy="16" r="4.2"/></g>`;
  if (requests === 0)
    return svg(`${scope}<path d="M16 16 24 8" stroke="${color}" stroke-width="2.4" stroke-linecap="round"/>`);
  const text = requests > 99 ? '99' : String(requests);
  const badge = `<circle cx="20" cy="20" r="12" fill="#f0bb57"/><text x="20" y="25.5" text-anchor="middle" font-family="system-ui,sans-serif" font-size="${text.length > 1 ? 14 : 17}" font-weight="700" fill="#14201c">${text}</text>`;
  return svg(scope + badge);
}

const svg = (body: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${body}</svg>`;
