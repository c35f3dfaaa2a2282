import { useNavigate } from '@tanstack/react-router';
import { Plus, Split, X } from 'lucide-react';
import { useId, useState } from 'react';
import { messageOf } from '../api/request.ts';
import { useStartableBlueprints } from '../blueprints/use-blueprints.ts';
import { useRecentProjects } from '../orchestration/recent-projects.ts';
import {
  AllowedToolsField,
  BudgetField,
  DriverSelect,
  FolderField,
  PromptField,
} from '../orchestration/start-fields.tsx';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { type NewFanOut, type NewRun, useFanOutActions } from './use-fan-outs.ts';

const RUN: NewRun = { driver: 'claude', blueprint: '', model: '' };
const MAX_RUNS = 16;
const MODELS = ['opus', 'sonnet', 'haiku'];

/** One prompt, and what is different in each run. */
export function NewFanOutDialog({ onClose }: { onClose: () => void }) {
  const projects = useRecentProjects();
  const models = useId();
  const navigate = useNavigate();
  const { start } = useFanOutActions();
  const [given, setGiven] = useState<NewFanOut>(() => ({
    name: '',
    cwd: projects[0] ?? '',
    prompt: '',
    base: '',
    dollars: '',
    allowedTools: '',
    runs: [
      { ...RUN, model: 'opus' },
      { ...RUN, model: 'sonnet' },
    ],
  }));
  const set = (changes: Partial<NewFanOut>) => setGiven((before) => ({ ...before, ...changes }));
  const setRun = (at: number, changes: Partial<NewRun>) =>
    set({ runs: given.runs.map((run, index) => (index === at ? { ...run, ...changes } : run)) });
  const blueprints = useStartableBlueprints(given.cwd);
  const submit = () =>
    start.mutate(given, {
      onSuccess: ({ id }) => {
        onClose();
        void navigate({ to: '/fan-outs/$fanOutId', params: { fanOutId: id } });
      },
    });
  return (
    <ActionDialog
      title="New fan-out"
      action={start.isPending ? 'Starting…' : `Start ${given.runs.length} sessions`}
      icon={Split}
      isPending={start.isPending}
      error={start.error && messageOf(start.error)}
      wide
      onSubmit={submit}
      onClose={onClose}
    >
      <PromptField
        placeholder="What should each agent do?"
        value={given.prompt}
        onChange={(prompt) => set({ prompt })}
      />
      <div className="grid gap-3 sm:grid-cols-3">
        <div className="sm:col-span-2">
          <FolderField required label="Folder in a git repository" value={given.cwd} onChange={(cwd) => set({ cwd })} />
        </div>
        <label className="flex flex-col gap-1">
          Name
          <input
            required
            className="field"
            pattern="[A-Za-z0-9_\-]{1,55}"
            title="1 to 55 letters, digits, - and _"
            placeholder="try-parser"
            value={given.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        </label>
      </div>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1">Runs</legend>
        {given.runs.map((run, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a run is its place in the list
          <fieldset key={index} aria-label={`Run ${index + 1}`} className="fan-out-fields">
            <span className="text-ink-3 tabular-nums">{index + 1}</span>
            <select
              aria-label="Blueprint"
              className="field"
              value={run.blueprint}
              onChange={({ target }) => setRun(index, { blueprint: target.value })}
            >
              <option value="">No blueprint</option>
              {blueprints.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
            <input
              aria-label="Model"
              className="field font-mono"
              list={models}
              placeholder="Default model"
              value={run.model}
              onChange={({ target }) => setRun(index, { model: target.value })}
            />
            <DriverSelect label="Agent" value={run.driver} onChange={(driver) => setRun(index, { driver })} />
            <button
              type="button"
              className="icon-button"
              aria-label={`Remove run ${index + 1}`}
              disabled={given.runs.length <= 2}
              onClick={() => set({ runs: given.runs.filter((_, at) => at !== index) })}
            >
              <X aria-hidden size={16} />
            </button>
          </fieldset>
        ))}
        <datalist id={models}>
          {MODELS.map((model) => (
            <option key={model} value={model} />
          ))}
        </datalist>
        <button
          type="button"
          className="button self-start"
          disabled={given.runs.length >= MAX_RUNS}
          onClick={() => set({ runs: [...given.runs, { ...RUN }] })}
        >
          <Plus aria-hidden size={15} /> Add run
        </button>
      </fieldset>
      <details>
        <summary className="cursor-pointer text-ink-3">More options</summary>
        <div className="mt-3 flex flex-col gap-3">
          <label className="flex items-center justify-between gap-4">
            Start from
            <input
              className="field w-56 font-mono"
              placeholder="HEAD"
              value={given.base}
              onChange={({ target }) => set({ base: target.value })}
            />
          </label>
          <BudgetField
            label="Budget per run, in dollars"
            value={given.dollars}
            onChange={(dollars) => set({ dollars })}
          />
          <AllowedToolsField value={given.allowedTools} onChange={(allowedTools) => set({ allowedTools })} />
        </div>
      </details>
      <p className="text-ink-3">Each run works in its own worktree. Your checkout isn't touched.</p>
    </ActionDialog>
  );
}
