import { Check, X } from 'lucide-react';
import type { Approval, DecisionRequest } from '../../../../src/contract/approvals.ts';
import { useRole } from '../../access/use-role.ts';
import { usePaletteActions } from '../../app/palette-actions.ts';
import { useLive } from '../../live/live.ts';
import { drafts } from '../../ui/drafts.ts';
import { clipLine } from '../../ui/format.ts';
import type { Shortcut } from '../../ui/shortcuts.ts';
import { toast } from '../../ui/toasts.tsx';
import { denialOf, stopsAllowing } from '../forms/refusal.ts';
import { lineOf } from '../request/describe-request.ts';
import { type ApprovalDraft, draftKey } from './approval-draft.ts';
import { canAllowDirectly } from './can-allow-directly.ts';
import { decideWithToast } from './decide-with-toast.ts';
import { isFresh } from './guard-decisions.ts';
import { showBeforeAllowing } from './show-before-allowing.ts';

interface Options {
  /** The selected request. undefined: none. */
  approval: () => Approval | undefined;
  /** The form to move the focus into. */
  around: () => Element | null;
  /** Explains how to select one, or selects the only one. */
  select: () => void;
  /** After a decision: move to the next one. */
  onDecided?: (approval: Approval) => void;
}

/** Allow, deny and reply with one key each, and from the palette. */
export function useAnswerKeys({ approval, around, select, onDecided }: Options): Shortcut[] {
  const live = useLive();
  const viewer = useRole() === 'viewer';

  const panelOf = ({ id }: Approval) => {
    const selector = `[data-approval="${CSS.escape(id)}"]`;
    return around()?.querySelector(selector) ?? document.querySelector(selector);
  };

  /** The selected request, or a hint on how to select one. */
  function selected(): Approval | undefined {
    const asked = viewer ? undefined : approval();
    if (!asked && !viewer) select();
    return asked;
  }

  /** Skips requests that are still loading or that just took another one's place. */
  function readyPanel(asked: Approval): Element | undefined {
    const panel = panelOf(asked);
    return panel && !panel.matches('[data-not-yet]') && !isFresh(panel) ? panel : undefined;
  }

  function allow(asked: Approval): (() => void) | undefined {
    const panel = readyPanel(asked);
    if (!panel) return undefined;
    if (stopsAllowing(asked)) return undefined;
    // A question has no plain "allow"; its form takes the answer.
    if (!canAllowDirectly(asked))
      return void panel.querySelector<HTMLElement>('input:not(:disabled), select:not(:disabled)')?.focus();
    if (showBeforeAllowing(panel)) return undefined;
    return () => decide(asked, () => ({ decision: 'allow' }));
  }

  function deny(asked: Approval): (() => void) | undefined {
    return readyPanel(asked) ? () => decide(asked, denialOf) : undefined;
  }

  /** Opens the rule dialog, which shows the rule before it is saved. */
  function always(asked: Approval): (() => void) | undefined {
    const button = readyPanel(asked)?.querySelector<HTMLElement>('[data-always]:not(:disabled)');
    return button ? () => button.click() : undefined;
  }

  function decide(asked: Approval, requestFor: (approval: Approval) => DecisionRequest) {
    void decideWithToast(live, [asked], requestFor);
    onDecided?.(asked);
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

  usePaletteActions(() => {
    const asked = viewer ? undefined : approval();
    if (!asked || !panelOf(asked) || panelOf(asked)?.matches('[data-not-yet]')) return [];
    const name = clipLine(lineOf(asked).text, 80);
    return [
      ...(canAllowDirectly(asked)
        ? [{ label: `Allow ${name}`, icon: Check, run: () => allow(asked)?.(), hint: 'a' }]
        : []),
      { label: `Deny ${name}`, icon: X, run: () => deny(asked)?.(), hint: 'd' },
    ];
  });

  const byKey =
    (answer: typeof allow, { shift = false } = {}) =>
    (event: KeyboardEvent) => {
      // A key that is held down was meant for the previous request.
      if (event.repeat || event.shiftKey !== shift) return undefined;
      const asked = selected();
      return asked && answer(asked);
    };
  return [
    { keys: ['a'], what: 'Allow or approve the selected request', decide: byKey(allow) },
    { keys: ['d'], what: 'Deny the selected request', decide: byKey(deny) },
    {
      keys: ['shift+a'],
      what: 'Always allow or deny requests like the selected one…',
      decide: byKey(always, { shift: true }),
    },
    { keys: ['r'], what: 'Reply with a reason, feedback or a prompt', run: reply, notInWords: true },
  ];
}

export function sayHowToSelect() {
  toast({ text: 'Select a request first, with j, k or a click.', tone: 'gray', ms: 3_000 });
}

function focusOn(place: Element, selector: string) {
  place.querySelector<HTMLElement>(selector)?.focus();
}
