import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { listStrictProjects, setStrictProject } from '../../../src/contract/routes/projects.ts';
import { call, messageOf } from '../api/request.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Section } from './section.tsx';

/** Projects where no tool runs while Ground Control is down. */
export function StrictSection() {
  const queries = useQueryClient();
  const list = useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => call(listStrictProjects, { signal }),
  });
  const [path, setPath] = useState('');
  const change = useMutation({
    mutationFn: (body: { path: string; strict: boolean }) => call(setStrictProject, { body }),
    onSuccess: (_, { strict }) => {
      if (strict) setPath('');
      return queries.invalidateQueries({ queryKey: ['projects'] });
    },
  });

  function add(event: FormEvent) {
    event.preventDefault();
    if (path.trim()) change.mutate({ path: path.trim(), strict: true });
  }

  return (
    <Section
      title="Strict projects"
      about="If Ground Control is down, agents in these projects run no tools instead of continuing unsupervised."
    >
      {list.isPending && <Skeleton lines={2} what="the strict projects" />}
      {list.error && <Failure message={messageOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && list.data.projects.length === 0 && <p className="text-ink-3">No strict projects.</p>}
      {list.data && list.data.projects.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {list.data.projects.map((project) => (
            <li key={project.path} className="flex flex-wrap items-center gap-3 py-2">
              <div className="min-w-0 flex-1">
                <p className="font-mono text-md break-all">{project.path}</p>
                <p data-tone={project.state === 'broken' ? 'red' : 'green'} className="text-sm">
                  <span className="font-medium text-tone">{project.state === 'broken' ? 'Broken' : 'On'}</span>{' '}
                  <span className="text-ink-3">
                    {project.detail} {project.fix}
                  </span>
                </p>
              </div>
              <button
                type="button"
                className="button"
                disabled={change.isPending}
                onClick={() => change.mutate({ path: project.path, strict: false })}
              >
                Turn off
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className="flex flex-wrap items-end gap-2" onSubmit={add}>
        <label className="flex min-w-0 flex-1 basis-64 flex-col gap-1 text-sm text-ink-2">
          Project folder
          <input
            className="field font-mono"
            placeholder="/home/me/project"
            value={path}
            onChange={(event) => setPath(event.target.value)}
          />
        </label>
        <button type="submit" className="button" disabled={!path.trim() || change.isPending}>
          Add
        </button>
      </form>
      {change.error && <Failure message={messageOf(change.error)} />}
    </Section>
  );
}
