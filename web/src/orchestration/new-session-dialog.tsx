import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import type { BlueprintSummary } from '../../../src/contract/blueprints.ts';
import { getAgent } from '../../../src/contract/routes/agents.ts';
import { call, messageOf } from '../api/request.ts';
import { placeOf, useStartableBlueprints } from '../blueprints/use-blueprints.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/states.tsx';
import { useRecentProjects } from './recent-projects.ts';
import { type NewSession, useStartSession } from './use-start-session.ts';

const EMPTY: NewSession = {
  cwd: '',
  prompt: '',
  name: '',
  blueprint: '',
  parameters: {},
  driver: 'claude',
  worktree: false,
  dollars: '',
  allowedTools: '',
};

interface Props {
  /** Initial values. */
  start?: Partial<NewSession>;
  onClose: () => void;
}

/** Starts a session in the background. Its page opens once it has been accepted. */
export function NewSessionDialog({ start: given, onClose }: Props) {
  const form = useId();
  const folders = useId();
  const navigate = useNavigate();
  const projects = useRecentProjects();
  const [session, setSession] = useState<NewSession>(() => ({ ...EMPTY, cwd: projects[0] ?? '', ...given }));
  const set = (changes: Partial<NewSession>) => setSession((before) => ({ ...before, ...changes }));
  const agents = useStartableBlueprints(session.cwd);
  const start = useStartSession((id) => {
    onClose();
    void navigate({ to: '/sessions/$sessionId', params: { sessionId: id } });
  });
  const chosen = agents.find(({ name }) => name === session.blueprint);

  function submit(event: FormEvent) {
    event.preventDefault();
    start.mutate(session);
  }

  return (
    <Dialog
      title="New session"
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={form} className="button" data-kind="primary" disabled={start.isPending}>
            {start.isPending ? 'Starting…' : 'Start session'}
          </button>
        </>
      }
    >
      <form id={form} className="flex w-[34rem] max-w-full flex-col gap-3" onSubmit={submit}>
        <label className="flex flex-col gap-1">
          Prompt
          <textarea
            required
            data-first
            rows={4}
            maxLength={200_000}
            className="field"
            placeholder="What should it do?"
            value={session.prompt}
            onChange={({ target }) => set({ prompt: target.value })}
          />
        </label>
        <label className="flex flex-col gap-1">
          Folder
          <input
            className="field font-mono"
            list={folders}
            placeholder="Leave empty for a scratch folder"
            pattern="/.*"
            title="An absolute path"
            value={session.cwd}
            onChange={({ target }) => set({ cwd: target.value.trim() })}
          />
          <datalist id={folders}>
            {projects.map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
        </label>
        <div className="grid gap-3 sm:grid-cols-2">
          <label className="flex flex-col gap-1">
            Blueprint
            <select
              className="field"
              value={session.blueprint}
              onChange={({ target }) => set({ blueprint: target.value, parameters: {} })}
            >
              <option value="">None</option>
              {agents.map(({ name, scope }) => (
                <option key={`${scope} ${name}`} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label className="flex flex-col gap-1">
            <span>
              Name <span className="text-ink-3">(optional)</span>
            </span>
            <input
              className="field"
              pattern="[A-Za-z0-9_\-]{1,60}"
              title="1 to 60 letters, digits, - and _"
              value={session.name}
              onChange={({ target }) => set({ name: target.value })}
            />
          </label>
        </div>
        {chosen && (
          <Parameters
            agent={chosen}
            project={session.cwd}
            values={session.parameters}
            onChange={(parameters) => set({ parameters })}
          />
        )}
        <details>
          <summary className="cursor-pointer text-ink-3">More options</summary>
          <div className="mt-3 flex flex-col gap-3">
            <label className="flex items-center justify-between gap-4">
              Agent
              <select
                className="field w-48"
                value={session.driver}
                onChange={({ target }) => set({ driver: target.value === 'native' ? 'native' : 'claude' })}
              >
                <option value="claude">Claude Code</option>
                <option value="native">Built-in agent</option>
              </select>
            </label>
            <label className="flex min-h-8 items-center gap-2">
              <input
                type="checkbox"
                checked={session.worktree}
                onChange={({ target }) => set({ worktree: target.checked })}
              />
              Work in its own git worktree
            </label>
            <label className="flex items-center justify-between gap-4">
              Budget, in dollars
              <input
                type="number"
                min="0.01"
                step="0.01"
                className="field w-28 text-end"
                placeholder="None"
                value={session.dollars}
                onChange={({ target }) => set({ dollars: target.value })}
              />
            </label>
            <label className="flex flex-col gap-1">
              Pre-approved tools, one per line
              <textarea
                rows={3}
                className="field font-mono"
                placeholder={'Read\nBash(npm test*)'}
                value={session.allowedTools}
                onChange={({ target }) => set({ allowedTools: target.value })}
              />
            </label>
          </div>
        </details>
        {start.error && <Failure message={messageOf(start.error)} />}
      </form>
    </Dialog>
  );
}

interface ParametersProps {
  agent: BlueprintSummary;
  project: string;
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
}

/** The blueprint's parameters. The daemon validates them against the blueprint's schema. */
function Parameters({ agent, project, values, onChange }: ParametersProps) {
  const { data } = useQuery({
    queryKey: ['agents', agent.name, agent.scope, project],
    queryFn: ({ signal }) =>
      call(getAgent, { params: { name: agent.name }, query: { scope: agent.scope, ...placeOf(project) }, signal }),
  });
  const { properties = {}, required = [] } = (data?.config?.parameters ?? {}) as {
    properties?: Record<string, { description?: string }>;
    required?: string[];
  };
  return (
    <>
      <p className="text-ink-3">{agent.description}</p>
      {Object.entries(properties).map(([name, { description }]) => (
        <label key={name} className="flex flex-col gap-1">
          <span>
            {name} {!required.includes(name) && <span className="text-ink-3">(optional)</span>}
          </span>
          <input
            required={required.includes(name)}
            className="field"
            placeholder={description}
            value={values[name] ?? ''}
            onChange={({ target }) => onChange({ ...values, [name]: target.value })}
          />
        </label>
      ))}
    </>
  );
}
