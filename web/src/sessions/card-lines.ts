import type { LiveSession } from '../../../src/contract/sessions.ts';
import { clipLine } from '../ui/format.ts';
import { type Ask, requestPreview } from './request-preview.ts';
import { styleOf } from './state-style.ts';

export interface CardLines {
  /** Shown beside the badge: which tool needs permission. */
  subject: string;
  activities: string[];
  ask: Ask | null;
}

const MAX_CHARS = 200;

/** The text under a card's badge, without repeating anything. */
export function cardLines(session: Pick<LiveSession, 'agentState' | 'attention' | 'currentActivity'>): CardLines {
  const { agentState, attention } = session;
  const badge = styleOf(agentState).label;
  const label = clipLine(agentState.label, MAX_CHARS);
  const subject = label.startsWith(`${badge}: `) ? label.slice(badge.length + 2) : '';
  // A state that hasn't settled may be over in a second, so don't ask for a decision yet.
  const ask = attention === 'settling' ? null : requestPreview(agentState);
  const said = new Set([plain(badge), ...(subject ? [plain(label)] : [])]);
  const activities: string[] = [];
  const candidates = ask ? (SPEAKS_FOR_ITSELF.has(agentState.state) ? [] : [label]) : [label, session.currentActivity];
  for (const candidate of candidates) {
    const line = clipLine(candidate, MAX_CHARS);
    if (line === '' || said.has(plain(line))) continue;
    said.add(plain(line));
    activities.push(line);
  }
  return { subject, activities, ask };
}

/** The card shows the question or plan itself; the badge already says there is one. */
const SPEAKS_FOR_ITSELF = new Set(['awaiting_input', 'awaiting_approval']);

/** `Thinking...` beside a Thinking badge is redundant. */
const plain = (line: string) => line.toLowerCase().replace(/[.…\s]+$/, '');
