import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { useLive } from '../live/live.ts';
import { styleOf } from '../sessions/state-style.ts';
import { clipLine } from '../ui/format.ts';
import { createNewWaits } from './find-new-waits.ts';
import { kindOf, notifyPreferences } from './preferences.ts';
import { showNotice } from './show-notice.ts';

/** Beyond this, one notification covers all: the operator wants to know they're needed, not get flooded. */
const MOST_AT_ONCE = 3;

/** Sends system notifications while the page isn't visible. */
export function useNotifications() {
  const { store } = useLive();
  const navigate = useNavigate();
  useEffect(() => {
    const check = createNewWaits();
    return store.subscribe(() => {
      if (!store.isReady()) return;
      const fresh = check(store.all().values()).filter(isWanted);
      if (fresh.length === 0 || !mayCall()) return;
      if (fresh.length > MOST_AT_ONCE) {
        showNotice({
          title: `${fresh.length} sessions need you`,
          body: '',
          tag: 'many',
          onOpen: () => void navigate({ to: '/inbox' }),
        });
        return;
      }
      for (const session of fresh) {
        const { label } = styleOf(session.agentState);
        showNotice({
          title: `${label}: ${clipLine(session.title, 80)}`,
          body: describe(session),
          // One notification per session.
          tag: session.id,
          onOpen: () => void navigate({ to: '/sessions/$sessionId', params: { sessionId: session.id } }),
        });
      }
    });
  }, [store, navigate]);
}

function isWanted({ agentState }: LiveSession): boolean {
  return notifyPreferences().kinds[kindOf(agentState.state)];
}

function mayCall(): boolean {
  const looksAtIt = document.visibilityState === 'visible' && document.hasFocus();
  return notifyPreferences().enabled && !looksAtIt && 'Notification' in window && Notification.permission === 'granted';
}

function describe({ projectDisplayName, agentState }: LiveSession): string {
  return clipLine(`${projectDisplayName} · ${agentState.label}`, 200);
}
