import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { BlueprintSummary } from '../../../src/contract/blueprints.ts';
import { getAgent } from '../../../src/contract/routes/agents.ts';
import { call, messageOf } from '../api/request.ts';
import { placeOf, useStartableBlueprints } from '../blueprints/use-blueprints.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { useRecentProjects } from './recent-projects.ts';
import { AllowedToolsField, BudgetField, DriverSelect, FolderField, PromptField } from './start-fields.tsx';
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

  return (
    <ActionDialog
      title="New session"
      action={start.isPending ? 'Starting…' : 'Start session'}
      isPending={start.isPending}
      error={start.error && messageOf(start.error)}
      onSubmit={() => start.mutate(session)}
      onClose={onClose}
    >
      <div className="flex w-[34rem] max-w-full flex-col gap-3">
        <PromptField placeholder="What should it do?" value={session.prompt} onChange={(prompt) => set({ prompt })} />
        <FolderField
          label="Folder"
          placeholder="Leave empty for a scratch folder"
          value={session.cwd}
          onChange={(cwd) => set({ cwd })}
        />
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
            <div className="flex items-center justify-between gap-4">
              <span aria-hidden>Agent</span>
              <DriverSelect
                label="Agent"
                className="w-48"
                value={session.driver}
                onChange={(driver) => set({ driver })}
              />
            </div>
            <label className="flex min-h-8 items-center gap-2">
              <input
                type="checkbox"
                checked={session.worktree}
                onChange={({ target }) => set({ worktree: target.checked })}
              />
              Work in its own git worktree
            </label>
            <BudgetField label="Budget, in dollars" value={session.dollars} onChange={(dollars) => set({ dollars })} />
            <AllowedToolsField value={session.allowedTools} onChange={(allowedTools) => set({ allowedTools })} />
          </div>
        </details>
      </div>
    </ActionDialog>
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
