import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { setPolicy } from '../../../src/contract/routes/rules.ts';
import type { Policy } from '../../../src/contract/rules-policy.ts';
import { call, messageOf } from '../api/request.ts';
import { Segmented } from '../ui/segmented.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { useKnownProjects } from './known-projects.ts';
import { type ProjectPolicy, usePolicies } from './use-rules.ts';

const POLICIES: ReadonlyArray<{ value: Policy; label: string }> = [
  { value: 'observe', label: 'Observe' },
  { value: 'ask', label: 'Ask me' },
  { value: 'deny', label: 'Deny' },
];
const MEANS: Record<Policy, string> = {
  observe: 'Claude Code decides as usual, and the call is listed for review.',
  ask: 'You approve every call that no rule covers.',
  deny: 'Calls run only if a rule allows them.',
};

/** What happens to calls that no rule covers. */
export function PolicySection() {
  const heading = useId();
  const list = useId();
  const queries = useQueryClient();
  const known = useKnownProjects();
  const { data: policies, error, isPending, refetch } = usePolicies();
  const [project, setProject] = useState('');
  const set = useMutation({
    mutationFn: (policy: ProjectPolicy) => call(setPolicy, { body: policy }),
    onSuccess: (answer) => {
      queries.setQueryData(['policies'], answer.policies);
      setProject('');
    },
  });
  const general = policies?.find((one) => one.project === '')?.policy ?? 'observe';
  const own = policies?.filter((one) => one.project !== '') ?? [];

  function add(event: FormEvent) {
    event.preventDefault();
    set.mutate({ project: project.trim(), policy: 'ask' });
  }

  return (
    <section aria-labelledby={heading} className="panel flex flex-col gap-3 p-5">
      <h2 id={heading} className="text-lg font-semibold">
        Calls that no rule covers
      </h2>
      {isPending && <Skeleton lines={2} what="the policies" />}
      {error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
      {policies && (
        <>
          <Row name="Every project" policy={general} onChange={(policy) => set.mutate({ project: '', policy })} />
          {own.map((one) => (
            <Row
              key={one.project}
              name={one.project}
              policy={one.policy}
              onChange={(policy) => set.mutate({ project: one.project, policy })}
            />
          ))}
          <form className="flex flex-wrap items-end gap-2" onSubmit={add}>
            <label className="flex min-w-0 flex-1 basis-64 flex-col gap-1 text-sm text-ink-2 sm:max-w-md">
              Different policy for a project
              <input
                className="field font-mono"
                list={list}
                placeholder="/home/me/project"
                value={project}
                onChange={(event) => setProject(event.target.value)}
              />
              <datalist id={list}>
                {known.map((path) => (
                  <option key={path} value={path} />
                ))}
              </datalist>
            </label>
            <button type="submit" className="button" disabled={!project.trim() || set.isPending}>
              Add
            </button>
          </form>
        </>
      )}
      {set.error && <Failure message={messageOf(set.error)} />}
    </section>
  );
}

function Row({ name, policy, onChange }: { name: string; policy: Policy; onChange: (policy: Policy) => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className={name.startsWith('/') ? 'font-mono text-md break-all' : 'font-medium'}>{name}</p>
        <p className="text-sm text-ink-3">{MEANS[policy]}</p>
      </div>
      <Segmented label={`Policy for ${name}`} value={policy} options={POLICIES} onChange={onChange} />
    </div>
  );
}
