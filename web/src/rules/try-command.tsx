import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { testRules } from '../../../src/contract/routes/rules.ts';
import { call, messageOf } from '../api/request.ts';
import { useKnownProjects } from './known-projects.ts';
import { RuleOutcome } from './rule-outcome.tsx';

/** The main input field of each tool. */
const TOOLS = { Bash: 'command', Read: 'file_path', Edit: 'file_path', Write: 'file_path', WebFetch: 'url' } as const;
type Tool = keyof typeof TOOLS;
const EXAMPLES: Record<Tool, string> = {
  Bash: 'git push origin main',
  Read: '/etc/hosts',
  Edit: 'src/main.ts',
  Write: 'notes.md',
  WebFetch: 'https://example.com',
};

/** What the saved rules would decide, without running anything. */
export function TryCommand() {
  const [tool, setTool] = useState<Tool>('Bash');
  const [text, setText] = useState('');
  const [project, setProject] = useState('');
  const projects = useKnownProjects();
  const list = useId();
  const tried = useDeferredValue(text.trim());
  const folder = useDeferredValue(project.startsWith('/') ? project : '');
  const { data, error } = useQuery({
    // Refetched when a rule changes.
    queryKey: ['rules', 'try', tool, tried, folder],
    queryFn: () =>
      call(testRules, {
        body: {
          toolName: tool,
          toolInput: { [TOOLS[tool]]: tried },
          ...(folder ? { project: folder, cwd: folder } : {}),
        },
      }),
    enabled: tried !== '',
    placeholderData: (before) => before,
    retry: false,
  });
  return (
    <section aria-label="Try a command" className="panel flex flex-col gap-3 p-4">
      <h2 className="font-semibold">Try a command</h2>
      <div className="flex flex-wrap gap-2">
        <select
          aria-label="Tool"
          className="field w-auto"
          value={tool}
          onChange={(event) => setTool(event.target.value as Tool)}
        >
          {Object.keys(TOOLS).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <input
          aria-label={tool === 'Bash' ? 'Command to try' : 'Input to try'}
          placeholder={EXAMPLES[tool]}
          className="field min-w-0 flex-1 basis-64 font-mono"
          dir="ltr"
          spellCheck={false}
          autoCapitalize="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <input
          aria-label="In project"
          placeholder="In any project"
          list={list}
          className="field min-w-0 flex-1 basis-48 font-mono"
          value={project}
          onChange={(event) => setProject(event.target.value)}
        />
        <datalist id={list}>
          {projects.map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
      </div>
      <div role="status">
        {tried === '' && <p className="text-ink-3">See which rule would decide. Nothing is run.</p>}
        {tried !== '' && error && <p className="text-ink-2">{messageOf(error)}</p>}
        {tried !== '' && data && !error && <RuleOutcome outcome={data} />}
      </div>
    </section>
  );
}
