import type { Approval } from '../../../src/contract/approvals.ts';
import { clipLine } from '../ui/format.ts';
import { toast } from '../ui/toasts.tsx';
import type { DecisionsStore } from './decisions-store.ts';
import { denialOf, isRefusing, warnRefusing } from './refusal.ts';
import { lineOf } from './what-is-asked.ts';

/** A thumb slips: what was swiped is sent after this long. */
const UNDO_MS = 4_000;

export function decideWithUndo(decisions: DecisionsStore, approval: Approval, decision: 'allow' | 'deny') {
  if (decision === 'allow' && isRefusing(approval)) return warnRefusing(approval);
  const request = decision === 'allow' ? { decision } : denialOf(approval);
  const undo = decisions.decideAfter(approval, request, UNDO_MS);
  const verb = decision === 'allow' ? 'Allowing' : 'Denying';
  const close = toast({
    text: `${verb} ${clipLine(lineOf(approval).text, 60)}`,
    tone: decision === 'allow' ? 'green' : 'gray',
    // the toast's own clock stops under a finger; it is closed when the decision has gone
    ms: 60_000,
    action: { label: 'Undo', run: undo },
  });
  const stop = decisions.subscribe(() => {
    if (decisions.of(approval.id)?.name === 'held') return;
    stop();
    close();
  });
}
