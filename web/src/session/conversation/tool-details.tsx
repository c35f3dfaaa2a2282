import { type ReactNode, useState } from 'react';
import { CodeBlock } from '../../markdown/code-block.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { TaskList } from '../../sessions/task-progress.tsx';
import { DiffLines } from '../../ui/diff-lines.tsx';
import { clip, humanize } from '../../ui/format.ts';
import { AgentBranch } from './agent-branch.tsx';
import { ImagePart } from './image-part.tsx';
import { languageOf } from './language-of.ts';
import { Output } from './output.tsx';
import { readTodos } from './read-todos.ts';
import type { ToolCall } from './tool-part.tsx';

const MAX_VALUE = 20_000;

/** A call's input and output. */
export function ToolDetails({ messageId, part }: { messageId: string; part: ToolCall }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <ToolInput part={part} />
      {part.agentId && <AgentBranch messageId={messageId} agentId={part.agentId} />}
      <ToolOutput part={part} />
    </div>
  );
}

function ToolInput({ part: { name, input, diff } }: { part: ToolCall }) {
  if (diff)
    return (
      <>
        <PathLine path={diff.path} />
        <DiffLines diff={diff} />
      </>
    );
  if (name === 'Bash' && typeof input.command === 'string')
    return (
      <>
        {typeof input.description === 'string' && <p className="text-ink-3">{clip(input.description, { max: 500 })}</p>}
        <CodeBlock code={clip(input.command, { max: MAX_VALUE })} language="bash" label="Command" />
      </>
    );
  if (name === 'ExitPlanMode' && typeof input.plan === 'string')
    return <Markdown text={clip(input.plan, { max: MAX_VALUE })} />;
  if (name === 'TodoWrite' && Array.isArray(input.todos)) return <TaskList items={readTodos(input.todos)} />;
  if (name === 'Write' && typeof input.content === 'string')
    return (
      <>
        <PathLine path={String(input.file_path ?? '')} />
        <CodeBlock
          code={clip(input.content, { max: MAX_VALUE })}
          language={languageOf(String(input.file_path ?? ''))}
          label="Content"
        />
      </>
    );
  const entries = Object.entries(input);
  if (entries.length === 0) return null;
  return (
    <dl className="tool-fields">
      {entries.slice(0, 40).map(([key, value]) => (
        <div key={key} className="contents">
          <dt>{humanize(key)}</dt>
          <dd dir="auto">
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: unknown }): ReactNode {
  const [all, setAll] = useState(false);
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const short = clip(text, { max: 600 });
  if (short === text || all) return clip(text, { max: MAX_VALUE });
  return (
    <>
      {short}{' '}
      <button type="button" className="text-button" onClick={() => setAll(true)}>
        Show more
      </button>
    </>
  );
}

function PathLine({ path }: { path: string }) {
  return (
    <p dir="ltr" className="break-all font-mono text-xs text-ink-3">
      {clip(path, { max: 500 })}
    </p>
  );
}

/** An edit's result only repeats the edit, unless it failed. */
const SAYS_NOTHING = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'TodoWrite']);

function ToolOutput({ part: { name, result, input } }: { part: ToolCall }) {
  if (!result) return null;
  const isTalk = name === 'Agent' || name === 'Task' || name === 'WebFetch';
  return (
    <>
      {result.images.map((image) => (
        <ImagePart key={image.imageId} image={image} />
      ))}
      {result.isError && <Output text={result.text} label="Error" isError />}
      {!result.isError && !SAYS_NOTHING.has(name) && isTalk && (
        <div className="tool-answer">
          <Markdown text={result.text} />
        </div>
      )}
      {!result.isError && !SAYS_NOTHING.has(name) && !isTalk && (result.text !== '' || result.images.length === 0) && (
        <Output text={result.text} label={name === 'Read' ? String(input.file_path ?? 'Content') : 'Output'} />
      )}
    </>
  );
}
