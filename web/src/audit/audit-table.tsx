import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight, Scale } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AuditEntry } from '../../../src/contract/audit.ts';
import { useLive } from '../live/live.ts';
import { describeRule } from '../rules/describe-rule.ts';
import { useRules } from '../rules/use-rules.ts';
import { formatDate, formatSeconds } from '../ui/dates.ts';
import { clipLine, formatDuration, humanize } from '../ui/format.ts';
import { actionLabel, outcomeTone, subjectOf } from './describe-entry.ts';

interface Props {
  entries: readonly AuditEntry[];
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
}

const ROW_PX = 62;
/** Loads more before the end is in view. */
const AHEAD = 15;

export function AuditTable({ entries, hasMore, isLoading, onMore }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => list.current?.closest<HTMLElement>('[data-scrolls]') ?? null,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => entries[index]?.seq ?? index,
    overscan: 8,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const wanted = hasMore && !isLoading && last >= entries.length - AHEAD;
  useEffect(() => {
    if (wanted) onMore();
  }, [wanted, onMore]);

  const toggle = (seq: number) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(seq)) after.add(seq);
      return after;
    });

  return (
    <>
      <ul ref={list} aria-label="Entries" className="panel relative" style={{ height: rows.getTotalSize() }}>
        {items.map((item) => {
          const entry = entries[item.index];
          if (!entry) return null;
          return (
            <li
              key={item.key}
              ref={rows.measureElement}
              data-index={item.index}
              className="absolute inset-x-0 top-0 border-b border-line last:border-b-0"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <Entry entry={entry} open={open.has(entry.seq)} onToggle={() => toggle(entry.seq)} />
            </li>
          );
        })}
      </ul>
      {isLoading && (
        <p role="status" className="py-4 text-center text-ink-3">
          Loading more…
        </p>
      )}
    </>
  );
}

/** A person by name; a rule by its description, with a link. */
function Who({ entry: { by, ruleId } }: { entry: AuditEntry }) {
  const { data: rules } = useRules();
  if (by !== 'rule' || !ruleId) return <bdi className="block truncate">{clipLine(by, 120)}</bdi>;
  const rule = rules?.find(({ id }) => id === ruleId);
  if (!rule) return <span className="block truncate">{rules ? 'A deleted rule' : 'A rule'}</span>;
  return (
    <Link to="/rules" search={{ rule: ruleId }} className="audit-rule" title={describeRule(rule)}>
      <Scale aria-label="Rule" size={13} className="mt-1 shrink-0 text-ink-3" />
      <bdi className="truncate">{clipLine(rule.reason || describeRule(rule), 120)}</bdi>
    </Link>
  );
}

function Entry({ entry, open, onToggle }: { entry: AuditEntry; open: boolean; onToggle: () => void }) {
  const { at, action, outcome, toolName, waitedMs, sessionId, ruleId, detail } = entry;
  const { store } = useLive();
  const subject = subjectOf(entry, store.get(sessionId ?? '')?.projectPath);
  return (
    <article>
      <div className="audit-line">
        <button type="button" aria-expanded={open} className="audit-row" onClick={onToggle}>
          <ChevronRight aria-hidden size={15} className="audit-chevron" />
          <span className="audit-when">
            <time dateTime={new Date(at).toISOString()}>
              <span className="text-ink-2">{formatSeconds(at)}</span>{' '}
              <span className="audit-day">{formatDate(at)}</span>
            </time>
          </span>
          <span className="audit-what">
            <span className="font-semibold">{actionLabel(action)}</span>
            {outcome && (
              <span data-tone={outcomeTone(outcome)} className="ml-2 font-medium text-tone">
                {humanize(outcome)}
              </span>
            )}
            <span className="block truncate text-ink-2">
              {toolName && <span className="mr-1.5 text-ink-3">{toolName}</span>}
              <bdi className={subject.code ? 'font-mono text-code' : ''}>{subject.text}</bdi>
            </span>
          </span>
        </button>
        <p className="audit-who">
          <Who entry={entry} />
          {waitedMs !== null && <span className="block text-ink-3">after {formatDuration(waitedMs)}</span>}
        </p>
      </div>
      {open && (
        <div className="flex flex-col gap-3 border-t border-line bg-sunken px-4 py-3">
          {detail && (
            <p dir="auto" className="max-h-60 overflow-y-auto whitespace-pre-wrap">
              {detail.slice(0, 20_000)}
            </p>
          )}
          {entry.toolInput !== null && entry.toolInput !== undefined && (
            <pre className="max-h-80 overflow-auto font-mono text-xs whitespace-pre-wrap">
              {JSON.stringify(entry.toolInput, null, 2).slice(0, 50_000)}
            </pre>
          )}
          <p className="flex flex-wrap gap-x-5 gap-y-1 text-ink-3">
            <span>Entry {entry.seq}</span>
            {sessionId && (
              <Link to="/sessions/$sessionId" params={{ sessionId }} className="link">
                Open session
              </Link>
            )}
            {ruleId && (
              <Link to="/rules" search={{ rule: ruleId }} className="link">
                Show rule
              </Link>
            )}
          </p>
        </div>
      )}
    </article>
  );
}
