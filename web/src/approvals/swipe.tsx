import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import type { Approval } from '../../../src/contract/approvals.ts';
import { useRole } from '../access/use-role.ts';
import { useLive } from '../live/live.ts';
import { canAllowDirectly } from './answer/can-allow-directly.ts';
import { decideWithToast } from './answer/decide-with-toast.ts';
import { showBeforeAllowing } from './answer/show-before-allowing.ts';
import { denialOf, stopsAllowing } from './forms/refusal.ts';

/** Moving past this is a swipe, not a tap or a scroll. */
const BEGIN_PX = 14;
/** Distance that counts as a decision. */
const DECIDE_PX = 104;
/** Elements where sideways movement has its own meaning. */
const OWN_MOVES = 'dialog, input, textarea, select, .diff-lines, .call-text, .plan-box, .code-block-scroll';

interface Props {
  /** What a swipe decides. Absent: nothing to swipe. */
  approval: Approval | undefined;
  /** Expands the request instead of allowing it, if part of it is out of view. Returns true if it was. */
  onAllow?: (row: Element) => boolean;
  children: ReactNode;
}

function showPanel(card: Element): boolean {
  const panel = card.querySelector('[data-approval]');
  return !panel || showBeforeAllowing(panel);
}

/** Swipe right to allow, left to deny. Both can be undone, and the buttons do the same. */
export function Swipe({ approval, onAllow = showPanel, children }: Props) {
  const live = useLive();
  const viewer = useRole() === 'viewer';
  const top = useRef<HTMLDivElement>(null);
  const start = useRef<{ x: number; y: number; moving: boolean } | null>(null);
  const [side, setSide] = useState<'allow' | 'deny' | null>(null);
  const possible = approval !== undefined && !viewer && canAllowDirectly(approval);

  function begin({ pointerType, target, clientX, clientY, isPrimary }: PointerEvent) {
    const own = target instanceof Element && target.closest(OWN_MOVES);
    if (!possible || pointerType !== 'touch' || !isPrimary || own || approval.held || live.decisions.of(approval.id))
      return;
    start.current = { x: clientX, y: clientY, moving: false };
  }

  function move({ clientX, clientY, pointerId, currentTarget }: PointerEvent) {
    const from = start.current;
    if (!from) return;
    const dx = clientX - from.x;
    if (!from.moving) {
      if (Math.abs(clientY - from.y) > BEGIN_PX) return end();
      if (Math.abs(dx) < BEGIN_PX) return;
      from.moving = true;
      currentTarget.setPointerCapture(pointerId);
    }
    if (top.current) top.current.style.translate = `${dx}px 0`;
    setSide(dx > 0 ? 'allow' : 'deny');
  }

  function release({ clientX, currentTarget }: PointerEvent) {
    const from = start.current;
    end();
    if (!from?.moving || !approval || Math.abs(clientX - from.x) < DECIDE_PX) return;
    if (clientX < from.x) return void decideWithToast(live, [approval], denialOf);
    if (stopsAllowing(approval)) return;
    if (!onAllow(currentTarget)) void decideWithToast(live, [approval], () => ({ decision: 'allow' }));
  }

  function end() {
    start.current = null;
    if (top.current) top.current.style.translate = '';
    setSide(null);
  }

  return (
    <div className="swipe" data-side={side ?? undefined}>
      <div aria-hidden className="swipe-under">
        <span>Allow</span>
        <span>Deny</span>
      </div>
      <div
        ref={top}
        className="swipe-top"
        data-possible={possible || undefined}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={end}
      >
        {children}
      </div>
    </div>
  );
}
