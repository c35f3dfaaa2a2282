import { getRouteApi } from '@tanstack/react-router';
import { ClipboardList, Download } from 'lucide-react';
import { useState } from 'react';
import type { AuditPage as Answer, AuditEntry } from '../../../src/contract/audit.ts';
import { listAudit } from '../../../src/contract/routes/audit.ts';
import { call, messageOf } from '../api/request.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { saveEntries } from './save-entries.ts';
import { type AuditFilter, useAudit } from './use-audit.ts';

const route = getRouteApi('/audit');
const MAX_SAVED = 100_000;

/** Who decided what, when, by which rule, and after how long. */
export function AuditPage() {
  const { action, by, session } = route.useSearch();
  const navigate = route.useNavigate();
  const filter: AuditFilter = { action, by, sessionId: session };
  const { data, error, isPending, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useAudit(filter);
  const [saving, setSaving] = useState(false);
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  const filtered = Boolean(action || by || session);

  async function save(format: 'csv' | 'json') {
    setSaving(true);
    try {
      saveEntries(await allEntries(filter), format);
    } catch (failure) {
      toast({ tone: 'red', text: messageOf(failure) });
    } finally {
      setSaving(false);
    }
  }

  return (
    <Page
      title="Audit"
      actions={
        <Menu
          trigger={
            <button type="button" className="button" disabled={saving || entries.length === 0}>
              <Download aria-hidden size={16} /> {saving ? 'Exporting…' : 'Export'}
            </button>
          }
        >
          <MenuItem onSelect={() => void save('csv')}>CSV</MenuItem>
          <MenuItem onSelect={() => void save('json')}>JSON</MenuItem>
        </Menu>
      }
      bar={
        <AuditFilters
          filter={filter}
          onChange={(next) =>
            void navigate({
              search: { action: next.action, by: next.by, session: next.sessionId },
              replace: true,
            })
          }
        />
      }
    >
      {isPending && <Skeleton lines={10} what="the audit log" />}
      {error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
      {data && entries.length === 0 && (
        <Empty icon={ClipboardList} title={filtered ? 'No matching entries' : 'No entries yet'}>
          <p>
            {filtered ? 'Try another action or name.' : 'Every decision, rule change, prompt and stop is logged here.'}
          </p>
        </Empty>
      )}
      {entries.length > 0 && (
        <AuditTable
          entries={entries}
          hasMore={hasNextPage}
          isLoading={isFetchingNextPage}
          onMore={() => void fetchNextPage()}
        />
      )}
    </Page>
  );
}

/** Everything that matches, not only what was scrolled into view. */
async function allEntries(filter: AuditFilter): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  let after: number | null = 0;
  while (after !== null && entries.length < MAX_SAVED) {
    const page: Answer = await call(listAudit, { query: { ...filter, limit: 1000, after } });
    entries.push(...page.entries);
    after = page.nextAfter;
  }
  return entries;
}
