import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Approval } from '../../../src/contract/approvals.ts';
import { shapeOf } from '../../../src/contract/call-shape.ts';
import { useAnswerKeys } from '../approvals/answer/use-answer-keys.ts';
import { MissedAnswers } from '../approvals/notes/missed-answers.tsx';
import { UndeliveredDecisions } from '../approvals/notes/undelivered-decisions.tsx';
import { useHiding } from '../board/hide-later.ts';
import { useApprovals, useBoard, useLive } from '../live/live.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Empty, Skeleton } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { useIsPhone } from '../ui/use-is-phone.ts';
import { BatchDialog } from './batch-dialog.tsx';
import { InboxDetails } from './inbox-details.tsx';
import { type InboxItem, inboxItems, nextToAnswer, placeAfter } from './inbox-items.ts';
import { InboxRow } from './inbox-row.tsx';

const route = getRouteApi('/inbox');

/** Everything that waits for the operator, oldest first. */
export function InboxPage() {
  const items = useInboxItems();
  const asksKnown = useApprovals().ready;
  const ready = useBoard().ready && asksKnown;
  const phone = useIsPhone();
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const details = useRef<HTMLElement>(null);
  const [current, setCurrent, hasChosen] = useCurrent(items, list);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const sheet = route.useSearch().open !== undefined;
  const [batch, setBatch] = useState<'allow' | 'deny' | null>(null);
  const item = items.find(({ key }) => key === current);
  const selected = approvalsIn(items).filter(({ id }) => chosen.has(id));
  const asked = item?.kind === 'approval' ? item.approval : undefined;
  const alike = asked ? approvalsIn(items).filter((other) => isLike(other, asked)) : [];

  const toggle = useCallback((key: string) => {
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);
  const open = useCallback(
    (key: string, byKeyboard: boolean) => {
      setCurrent(key);
      // Its own history entry, so Back leads to the list and not out of the app.
      if (phone) void navigate({ to: '/inbox', search: { open: key } });
      else if (byKeyboard) requestAnimationFrame(() => firstControl(details.current)?.focus());
    },
    [phone, setCurrent, navigate],
  );
  const step = (by: number) => () => {
    const index = items.findIndex(({ key }) => key === current);
    const next = items[Math.min(Math.max(index + by, 0), items.length - 1)];
    if (!next) return;
    // The first key moves the focus to the selected item.
    const away = !list.current?.contains(document.activeElement);
    const key = away && index >= 0 ? items[index]!.key : next.key;
    setCurrent(key);
    requestAnimationFrame(() => rowOf(list.current, key)?.focus());
  };
  const isSelected = () =>
    hasChosen || [list, details].some(({ current: place }) => place?.contains(document.activeElement));
  const [allow, deny, reply] = useAnswerKeys({
    approval: () => (isSelected() ? asked : undefined),
    around: () => details.current ?? document.querySelector('dialog[open]'),
    select: () => {
      if (!item) return;
      rowOf(list.current, item.key)?.focus();
      toast({ text: 'Request selected. Press a to allow it, d to deny it.', tone: 'gray', ms: 3_000 });
    },
    onDecided: ({ id }) => {
      const next = nextToAnswer(items, id);
      if (!next) return;
      setCurrent(next);
      if (list.current?.contains(document.activeElement))
        requestAnimationFrame(() => rowOf(list.current, next)?.focus());
    },
  });
  const ofMany = (decision: 'allow' | 'deny', single: typeof allow) => ({
    ...single!,
    decide: (event: KeyboardEvent) => {
      if (selected.length === 0) return single!.decide?.(event);
      setBatch(decision);
      return undefined;
    },
  });
  useShortcuts('Inbox', [
    { keys: ['j', 'ArrowDown'], what: 'Next', run: step(1) },
    { keys: ['k', 'ArrowUp'], what: 'Previous', run: step(-1) },
    { keys: ['Enter'], what: 'Go to the answer' },
    ofMany('allow', allow),
    ofMany('deny', deny),
    reply!,
    { keys: ['x'], what: 'Select', run: () => asked && toggle(asked.id) },
    { keys: ['s'], what: 'Select similar requests', run: () => setChosen(new Set(alike.map(({ id }) => id))) },
    {
      keys: ['o'],
      what: 'Open session',
      run: () => item && void navigate({ to: '/sessions/$sessionId', params: { sessionId: item.sessionId } }),
    },
    {
      keys: ['Escape'],
      what: 'Back to the list, clear selection',
      inFields: true,
      run: () => {
        if (list.current?.contains(document.activeElement)) setChosen(new Set());
        else rowOf(list.current, current)?.focus();
      },
    },
  ]);

  return (
    <Page
      title="Inbox"
      fixed
      actions={
        selected.length > 0 && (
          <>
            <span className="text-ink-2">{selected.length} selected</span>
            <button type="button" className="button" data-kind="primary" onClick={() => setBatch('allow')}>
              Allow…
            </button>
            <button type="button" className="button" onClick={() => setBatch('deny')}>
              Deny…
            </button>
            <button type="button" className="button" onClick={() => setChosen(new Set())}>
              Clear selection
            </button>
          </>
        )
      }
    >
      <div className="inbox" data-focus-home data-empty={items.length === 0 || undefined}>
        <div ref={list} className="inbox-list" data-scrolls>
          <MissedAnswers />
          <UndeliveredDecisions />
          {!ready && <Skeleton what="the inbox" lines={6} />}
          {ready && items.length === 0 && (
            <Empty icon={CircleCheck} title="You're all caught up">
              <p>Requests, questions, plans and idle sessions show up here.</p>
            </Empty>
          )}
          <ul aria-label="Waiting" className="flex flex-col gap-1.5">
            {items.map((one, index) => (
              <li key={one.key}>
                {one.kind === 'session' && index > 0 && items[index - 1]?.kind !== 'session' && (
                  <h2 className="inbox-part">{items.length - index} idle</h2>
                )}
                <InboxRow
                  item={one}
                  current={one.key === current}
                  selected={chosen.has(one.key)}
                  onOpen={open}
                  onSelect={toggle}
                />
              </li>
            ))}
          </ul>
        </div>
        {!phone && item && (
          <section ref={details} aria-label="Details" className="inbox-details" data-scrolls>
            {alike.length > 1 && (
              <p className="mb-3 text-ink-2">
                {alike.length} similar requests.{' '}
                <button type="button" className="link" onClick={() => setChosen(new Set(alike.map(({ id }) => id)))}>
                  Select all
                </button>
              </p>
            )}
            <InboxDetails key={item.key} item={item} />
          </section>
        )}
      </div>
      {phone && sheet && item && (
        <Dialog title="Details" onClose={() => void navigate({ to: '/inbox', search: {}, replace: true })}>
          <InboxDetails key={item.key} item={item} />
        </Dialog>
      )}
      {batch && <BatchDialog decision={batch} approvals={selected} onClose={() => setBatch(null)} />}
    </Page>
  );
}

function useInboxItems(): InboxItem[] {
  const { store, approvals } = useLive();
  const { pending } = useApprovals();
  const { columns } = useBoard();
  const hidden = useHiding();
  // The board says who is in the column; details are read when that changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(
    () =>
      inboxItems(
        pending,
        [...store.all().values()].filter(({ id }) => !hidden.has(id)),
        ({ id, stateSince }) => approvals.isAnswered(id, stateSince),
      ),
    [pending, columns.needs_you, store, approvals, hidden],
  );
}

/** The selected item. When it is settled and disappears, the next one is selected, with the focus. */
function useCurrent(items: InboxItem[], list: React.RefObject<HTMLElement | null>) {
  const [wanted, setWanted] = useState<string | null>(null);
  const before = useRef<InboxItem[]>([]);
  const current = placeAfter(items, before.current, wanted);
  const focused = useRef(false);
  useLayoutEffect(() => {
    before.current = items;
    // Without a choice, the oldest is selected, even if it arrives late.
    if (wanted !== null && current !== wanted) setWanted(current);
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (focused.current && lost) rowOf(list.current, current)?.focus();
  }, [items, current, wanted, list]);
  useLayoutEffect(() => {
    const element = list.current;
    const note = () => {
      focused.current = true;
    };
    const leave = (event: FocusEvent) => {
      // A removed row blurs to nothing.
      if (event.relatedTarget !== null) focused.current = false;
    };
    element?.addEventListener('focusin', note);
    element?.addEventListener('focusout', leave);
    return () => {
      element?.removeEventListener('focusin', note);
      element?.removeEventListener('focusout', leave);
    };
  }, [list]);
  return [current, setWanted, wanted !== null] as const;
}

function rowOf(list: HTMLElement | null, key: string | null): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key ?? '')}"]`) ?? null;
}

function firstControl(place: HTMLElement | null): HTMLElement | null {
  return (
    place?.querySelector<HTMLElement>('.approval :is(button, input, textarea, select), .prompt-box textarea') ?? null
  );
}

const approvalsIn = (items: readonly InboxItem[]): Approval[] =>
  items.flatMap((item) => (item.kind === 'approval' ? item.approval : []));

/** Same shape: a rule for one would cover the other. */
function isLike(a: Approval, b: Approval): boolean {
  return a.kind === b.kind && a.toolName === b.toolName && shapeOf(a) === shapeOf(b);
}
