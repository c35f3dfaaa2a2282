import { toast } from '../../ui/toasts.tsx';

/** Brings the hidden part of a request into view. Returns true if something was hidden, so it isn't allowed yet. */
export function showBeforeAllowing(panel: Element): boolean {
  if (panel.matches('[data-hides]')) {
    panel.querySelector<HTMLElement>('[data-show-all]')?.click();
    panel.scrollIntoView({ block: 'nearest' });
    toast({ text: 'Part of this request was hidden. Check it all, then allow it.', tone: 'gray' });
    return true;
  }
  if (!panel.matches('[data-unseen]')) return false;
  panel.scrollIntoView({ block: 'nearest' });
  toast({ text: 'This request was out of view. Check it, then allow it.', tone: 'gray' });
  return true;
}
