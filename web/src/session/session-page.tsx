import { getRouteApi, Link } from '@tanstack/react-router';
import { Info, SearchX } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyPart } from '../app/load-part.ts';
import { IndexProgress } from '../history/index-progress.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { clipLine } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { AgentTrail } from './agent-trail.tsx';
import { Conversation } from './conversation/conversation.tsx';
import { SessionDock } from './session-dock.tsx';
import { SessionHead } from './session-head.tsx';
import { SessionSide } from './session-side.tsx';
import { type TabId, tabOf, tabsFor } from './session-tabs.ts';
import { type SessionFacts, useSessionFacts } from './use-session-facts.ts';

const route = getRouteApi('/sessions/$sessionId');

const TimelineTab = lazyPart(() => import('./timeline/timeline-tab.tsx'));
const AgentsTab = lazyPart(() => import('./tabs/agents-tab.tsx'));
const FamilyTab = lazyPart(() => import('../family/family-tab.tsx'));
const TasksTab = lazyPart(() => import('./tabs/tasks-tab.tsx'));
const PlanTab = lazyPart(() => import('./tabs/plan-tab.tsx'));
const ChangesTab = lazyPart(() => import('./changes/changes-tab.tsx'));
const FilesTab = lazyPart(() => import('./tabs/files-tab.tsx'));
const CostTab = lazyPart(() => import('./tabs/cost-tab.tsx'));
const ShellsTab = lazyPart(() => import('./shells/shells-tab.tsx'));
const DecisionsTab = lazyPart(() => import('./tabs/decisions-tab.tsx'));
const EventsTab = lazyPart(() => import('./tabs/events-tab.tsx'));

export function SessionPage() {
  const { sessionId } = route.useParams();
  return <SessionOf key={sessionId} id={sessionId} />;
}

function SessionOf({ id }: { id: string }) {
  const facts = useSessionFacts(id);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [showing, setShowing] = useState(false);
  const tab = tabOf(search.tab);

  const go = (by: number) => {
    const tabs = tabsFor(facts.session);
    const at = tabs.findIndex((one) => one.id === tab);
    const next = tabs[(at + by + tabs.length) % tabs.length]!;
    void navigate({ search: (before) => ({ ...before, tab: next.id === 'conversation' ? undefined : next.id }) });
  };
  useShortcuts('Session', [
    { keys: [']'], what: 'Next view', run: () => go(1) },
    { keys: ['['], what: 'Previous view', run: () => go(-1) },
    { keys: ['i'], what: 'Details', run: () => setShowing(true) },
  ]);

  if (facts.unknown)
    return (
      <Page title="Session">
        <IndexProgress />
        <Empty icon={SearchX} title="No such session">
          <p>
            No session <code className="code">{clipLine(id, 60)}</code> on the board or in the transcripts. A new
            session appears with its first prompt.
          </p>
          <Link to="/history" className="link">
            Open History
          </Link>
        </Empty>
      </Page>
    );
  if (facts.failure)
    return (
      <Page title="Session">
        <Failure message={facts.failure.message} onRetry={facts.failure.retry} />
      </Page>
    );
  return (
    <main className="page session-page">
      <SessionHead
        facts={facts}
        more={
          <button type="button" className="button session-more" onClick={() => setShowing(true)}>
            <Info aria-hidden size={16} /> Details
          </button>
        }
      />
      <TabBar id={id} tab={tab} facts={facts} />
      <div className="session-body">
        <div className="session-main">
          <Suspense fallback={<TabLoading />}>
            <TabContent tab={tab} facts={facts} search={search} />
          </Suspense>
          {tab === 'conversation' && <SessionDock facts={facts} />}
        </div>
        <aside className="session-side" aria-label="Details">
          <SessionSide facts={facts} />
        </aside>
      </div>
      {showing && (
        <Dialog title="Details" onClose={() => setShowing(false)}>
          <SessionSide facts={facts} />
        </Dialog>
      )}
    </main>
  );
}

interface TabProps {
  tab: TabId;
  facts: SessionFacts;
  search: ReturnType<typeof route.useSearch>;
}

function TabContent({ tab, facts, search }: TabProps) {
  const agentId = search.agent ?? null;
  if (tab === 'conversation')
    return (
      <>
        {agentId && <AgentTrail facts={facts} agentId={agentId} />}
        <Conversation
          key={`${agentId ?? ''}/${search.find ?? ''}`}
          sessionId={facts.id}
          agentId={agentId}
          messageId={search.message}
          at={search.at}
          find={search.find}
          seq={facts.session?.seq}
          isLive={facts.isLive}
        />
      </>
    );
  return (
    <div className="session-tab" data-scrolls>
      {tab === 'timeline' && <TimelineTab facts={facts} />}
      {tab === 'agents' && <AgentsTab facts={facts} />}
      {tab === 'tree' && <FamilyTab facts={facts} />}
      {tab === 'tasks' && <TasksTab facts={facts} />}
      {tab === 'plan' && <PlanTab facts={facts} />}
      {tab === 'changes' && <ChangesTab facts={facts} path={search.file} />}
      {tab === 'files' && <FilesTab facts={facts} />}
      {tab === 'cost' && <CostTab facts={facts} />}
      {tab === 'shells' && <ShellsTab facts={facts} />}
      {tab === 'decisions' && <DecisionsTab facts={facts} />}
      {tab === 'events' && <EventsTab facts={facts} />}
    </div>
  );
}

function TabBar({ id, tab, facts }: { id: string; tab: TabId; facts: SessionFacts }) {
  const counts: Partial<Record<TabId, number>> = {
    agents: facts.session?.subAgents.length || facts.history?.subAgentList.length || 0,
    tasks: facts.session?.progressItems.length ?? 0,
    changes: facts.history?.files.filter(({ edits }) => edits > 0).length ?? 0,
    files: facts.history?.files.length ?? 0,
  };
  const bar = useRef<HTMLElement>(null);
  // On a phone the selected tab may be outside the visible part of the bar.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another is chosen
  useEffect(() => {
    bar.current?.querySelector('[data-on]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [tab]);
  return (
    <nav ref={bar} aria-label="Views of this session" className="session-tabs">
      {tabsFor(facts.session).map(({ id: name, label }) => (
        <Link
          key={name}
          to="/sessions/$sessionId"
          params={{ sessionId: id }}
          search={name === 'conversation' ? {} : { tab: name }}
          className="session-tab-link"
          aria-current={name === tab ? 'page' : undefined}
          data-on={name === tab || undefined}
        >
          {label}
          {(counts[name] ?? 0) > 0 && <span className="tab-count">{counts[name]}</span>}
        </Link>
      ))}
    </nav>
  );
}

function TabLoading() {
  return (
    <div className="p-6">
      <Skeleton lines={6} what="this view" />
    </div>
  );
}
