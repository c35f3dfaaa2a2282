import type { LiveSession } from '../../contract/sessions.ts';
import { maskEach } from '../masking/mask-in-turns.ts';
import { maskDeep } from '../masking/mask-secrets.ts';

const made = new WeakMap<LiveSession, LiveSession>();

/** A session as viewers see it; made once for each view. */
export function maskedView(view: LiveSession): LiveSession {
  const known = made.get(view);
  if (known) return known;
  const masked = maskDeep(view);
  made.set(view, masked);
  return masked;
}

/** Call before a viewer gets all sessions, so that there are not ten thousand to mask in one go. */
export async function prepareMaskedViews(views: LiveSession[]): Promise<void> {
  await maskEach(views, maskedView);
}
