import { getRouteApi, Link } from '@tanstack/react-router';
import { Bot, Lock, Plus } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { BlueprintScope, BlueprintSummary } from '../../../src/contract/blueprints.ts';
import { ForOperators, ViewerNote } from '../access/for-operators.tsx';
import { useRole } from '../access/use-role.ts';
import { messageOf } from '../api/request.ts';
import { useKnownProjects } from '../rules/known-projects.ts';
import { clip, clipLine, countOf, shortModel } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { isWritable, SCOPE_NAMES } from './blueprint-texts.ts';
import { NewBlueprintDialog } from './new-blueprint-dialog.tsx';
import { useBlueprintList } from './use-blueprints.ts';

const route = getRouteApi('/agents');

/** Saved agents: the project's, the operator's, and Claude Code's. */
export function BlueprintsPage() {
  const { project } = route.useSearch();
  const { data, error, isPending, refetch } = useBlueprintList(project);
  const [isCreating, setCreating] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const viewer = useRole() === 'viewer';
  const move = (step: number) => () => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-blueprint]') ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const next = rows[at < 0 ? 0 : at + step];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts('Blueprints', [
    { keys: ['j', 'ArrowDown'], what: 'Next', run: move(1) },
    { keys: ['k', 'ArrowUp'], what: 'Previous', run: move(-1) },
    ...(viewer ? [] : [{ keys: ['n'], what: 'New blueprint', notInWords: true, run: () => setCreating(true) }]),
  ]);
  const scopes = [...new Set((data ?? []).map(({ scope }) => scope))];
  return (
    <Page
      title="Blueprints"
      bar={<ProjectField project={project} />}
      actions={
        <ForOperators>
          <button type="button" className="button" data-kind="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden size={16} /> New blueprint
          </button>
        </ForOperators>
      }
    >
      <div ref={list} className="mx-auto flex max-w-[70rem] flex-col gap-6">
        <ViewerNote />
        {isPending && <Skeleton lines={6} what="the blueprints" />}
        {error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
        {data?.length === 0 && (
          <Empty icon={Bot} title="No blueprints">
            <p>
              A blueprint is a saved agent: its prompt, model, tools and budget. Create one here, or put one in{' '}
              <code className="code">.groundcontrol/agents</code> of a project.
            </p>
          </Empty>
        )}
        {scopes.map((scope) => (
          <ScopeSection
            key={scope}
            scope={scope}
            blueprints={(data ?? []).filter((one) => one.scope === scope)}
            project={project}
          />
        ))}
      </div>
      {isCreating && <NewBlueprintDialog project={project} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function ProjectField({ project }: { project: string | undefined }) {
  const navigate = route.useNavigate();
  const known = useKnownProjects();
  const options = useId();
  return (
    <label className="mt-3 flex max-w-[40rem] items-center gap-3">
      <span className="shrink-0 text-ink-2">Project</span>
      <input
        className="field min-w-0 flex-1 font-mono"
        list={options}
        placeholder="Absolute path, to see the project's blueprints too"
        defaultValue={project}
        onChange={({ target }) => {
          const path = target.value.trim();
          if (path === '' || path.startsWith('/'))
            void navigate({ search: path === '' ? {} : { project: path }, replace: true });
        }}
      />
      <datalist id={options}>
        {known.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </label>
  );
}

interface SectionProps {
  scope: BlueprintScope;
  blueprints: BlueprintSummary[];
  project: string | undefined;
}

function ScopeSection({ scope, blueprints, project }: SectionProps) {
  return (
    <section aria-label={SCOPE_NAMES[scope]}>
      <h2 className="mb-2 flex items-center gap-2 font-semibold">
        {SCOPE_NAMES[scope]}
        {!isWritable(scope) && (
          <span className="flex items-center gap-1 font-normal text-ink-3">
            <Lock aria-hidden size={13} /> read-only
          </span>
        )}
      </h2>
      <ul className="panel divide-y divide-line">
        {blueprints.map((one) => (
          <li key={one.name}>
            <Row blueprint={one} project={project} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ blueprint, project }: { blueprint: BlueprintSummary; project: string | undefined }) {
  const { name, scope, description, model, tags, isUsed, problems } = blueprint;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return (
    <Link
      to="/agents/$scope/$name"
      params={{ scope, name }}
      search={project === undefined ? {} : { project }}
      className="blueprint-row"
      data-blueprint={name}
    >
      <span className="min-w-0 flex-1">
        <span className="font-medium">{clipLine(name, 80)}</span>
        {tags.length > 0 && <span className="ml-2 text-sm text-ink-3">{clipLine(tags.join(', '), 80)}</span>}
        <span dir="auto" className="block truncate text-ink-3">
          {clip(description, { max: 300 }) || 'No description'}
        </span>
        {!isUsed && (
          <span className="block text-sm text-ink-3">Not used: another blueprint with this name comes first.</span>
        )}
      </span>
      {errors > 0 && (
        <span data-tone="red" className="shrink-0 font-medium text-tone">
          {countOf(errors, 'error')}
        </span>
      )}
      {model && <span className="shrink-0 text-sm text-ink-3 max-sm:hidden">{shortModel(model)}</span>}
    </Link>
  );
}
