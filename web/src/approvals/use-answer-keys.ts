import type { Approval } from '../../../src/contract/approvals.ts';
import { useRole } from '../access/use-role.ts';
import { useLive } from '../live/live.ts';
import { drafts } from '../ui/drafts.ts';
import type { Shortcut } from '../ui/shortcuts.ts';
import { type ApprovalDraft, draftKey } from './approval-draft.ts';
import { canAllowAtOnce } from './can-allow-at-once.ts';
import { denialOf, isRefusing, warnRefusing } from './refusal.ts';

interface Options {
  /** The one in question. */
  approval: () => Approval | undefined;
  /** Where its form stands, to move the focus into it. */
  around: () => Element | null;
}

/** Allow, deny and reply, by one key each. */
export function useAnswerKeys({ approval, around }: Options): Shortcut[] {
  const { decisions } = useLive();
  const viewer = useRole() === 'viewer';

  /** What a key decides now: not by a key that is still down from the one before, nor what cannot be read yet. */
  function inQuestion({ repeat }: KeyboardEvent): Approval | undefined {
    const asked = approval();
    if (!asked || viewer || repeat) return undefined;
    const panel = around()?.querySelector(`[data-approval="${CSS.escape(asked.id)}"]`);
    return panel?.matches('[data-not-yet]') || decisions.hasMoved() ? undefined : asked;
  }

  function allow(event: KeyboardEvent) {
    const asked = inQuestion(event);
    if (!asked) return;
    if (isRefusing(asked)) return warnRefusing(asked);
    // a question has no plain yes: its form is where the answer is
    if (canAllowAtOnce(asked)) void decisions.decide(asked, { decision: 'allow' });
    else around()?.querySelector<HTMLElement>('.approval input, .approval select')?.focus();
  }

  function deny(event: KeyboardEvent) {
    const asked = inQuestion(event);
    if (asked) void decisions.decide(asked, denialOf(asked));
  }

  function reply() {
    const asked = approval();
    const place = around();
    if (viewer || !place) return;
    if (!asked || asked.kind === 'elicitation') return focusOn(place, '.prompt-box textarea, .approval input');
    const draft = drafts.get<ApprovalDraft>(draftKey(asked.id)) ?? {};
    if (!draft.explaining) drafts.set(draftKey(asked.id), { ...draft, explaining: true });
    requestAnimationFrame(() => focusOn(place, '.answer-text'));
  }

  return [
    { keys: ['a'], what: 'Allow, approve, or go to the answer', run: allow, decides: true },
    { keys: ['d'], what: 'Deny', run: deny, decides: true },
    { keys: ['r'], what: 'Reply: a reason, feedback, or a prompt', run: reply },
  ];
}

function focusOn(place: Element, selector: string) {
  place.querySelector<HTMLElement>(selector)?.focus();
}
