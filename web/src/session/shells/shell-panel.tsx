import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowDownToLine, OctagonX, Search } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { backgroundCall, killShell } from '../../../../src/contract/routes/shells.ts';
import type { ShellProcess, ShellView } from '../../../../src/contract/shells.ts';
import { useRole } from '../../access/use-role.ts';
import { call, messageOf } from '../../api/request.ts';
import { clip, clipLine } from '../../ui/format.ts';
import type { OutputLine } from './output-lines.ts';
import { stateOf } from './shell-state.ts';
import { useShellOutput, useShellSearch } from './use-shells.ts';

interface Props {
  sessionId: string;
  shell: ShellView;
}

export function ShellPanel({ sessionId, shell }: Props) {
  const [text, setText] = useState('');
  const output = useShellOutput(sessionId, shell);
  const found = useShellSearch(sessionId, shell.id, text);
  const lines = found ? found.pieces : output.lines;
  const missed = found ? 0 : output.missed;
  return (
    <section className="shell-panel" aria-label={`Shell ${shell.id}`}>
      <header className="flex flex-col gap-2">
        <pre className="shell-command" dir="ltr">
          {clip(shell.command, { max: 4000 })}
        </pre>
        <div className="flex flex-wrap items-center gap-2">
          <p role="status" className="mr-auto text-ink-2">
            <code className="code">{shell.id}</code> {stateOf(shell)}
          </p>
          <ShellActions sessionId={sessionId} shell={shell} />
        </div>
        <label className="shell-search">
          <Search aria-hidden size={15} className="text-ink-3" />
          <input
            type="search"
            className="field"
            placeholder="Search the output"
            aria-label="Search the output"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
      </header>
      {output.failure && (
        <p role="alert" data-tone="red" className="notice">
          {output.failure}
        </p>
      )}
      {missed > 0 && (
        <p className="text-ink-3 text-sm">{missed.toLocaleString('en-US')} earlier characters not shown</p>
      )}
      <Output lines={lines} follows={!found} empty={found ? 'No matching lines' : 'No output yet'} />
      <Processes shell={shell} />
    </section>
  );
}

function ShellActions({ sessionId, shell }: Props) {
  const queries = useQueryClient();
  const isViewer = useRole() === 'viewer';
  const onSettled = () => queries.invalidateQueries({ queryKey: ['shells', sessionId] });
  const background = useMutation({
    mutationFn: (callId: string) => call(backgroundCall, { params: { id: sessionId, callId } }),
    onSettled,
  });
  const kill = useMutation({
    mutationFn: () => call(killShell, { params: { id: sessionId, shellId: shell.id } }),
    onSettled,
  });
  const { callId } = shell;
  const isThere = shell.state === 'running' || shell.processes.length > 0;
  const left = kill.data?.left ?? [];
  const failure = background.error ?? kill.error;
  return (
    <>
      {failure && (
        <p role="alert" className="text-red">
          {messageOf(failure)}
        </p>
      )}
      {left.length > 0 && (
        <p role="alert" className="text-red">
          Still running: {left.join(', ')}
        </p>
      )}
      {shell.state === 'running' && !shell.isBackground && callId !== null && (
        <button
          type="button"
          className="button"
          disabled={isViewer || background.isPending}
          onClick={() => background.mutate(callId)}
        >
          <ArrowDownToLine aria-hidden size={15} /> Send to background
        </button>
      )}
      {isThere && (
        <button
          type="button"
          className="button"
          data-kind="danger"
          disabled={isViewer || kill.isPending}
          onClick={() => kill.mutate()}
        >
          <OctagonX aria-hidden size={15} /> {kill.isPending ? 'Killing…' : 'Kill'}
        </button>
      )}
    </>
  );
}

/** Stays at the end until the reader scrolls up. */
function Output({ lines, follows, empty }: { lines: OutputLine[]; follows: boolean; empty: string }) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when there are new lines
  useLayoutEffect(() => {
    if (follows && isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines, follows]);
  return (
    <div
      ref={box}
      className="shell-output"
      role="log"
      aria-label="Output"
      aria-live="off"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: so that a keyboard can scroll it
      tabIndex={0}
      dir="ltr"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {lines.length === 0 && <p className="text-ink-3">{empty}</p>}
      {lines.map(({ at, stream, text }) => (
        <div key={at} data-stream={stream}>
          {stream === 'stderr' && <span className="sr-only">stderr: </span>}
          {text.replace(/\n$/, '') || '\u200b'}
        </div>
      ))}
    </div>
  );
}

/** Why it is still running. */
function Processes({ shell: { processes, state } }: { shell: ShellView }) {
  if (processes.length === 0) return null;
  return (
    <details className="shell-processes" open={state !== 'running'}>
      <summary>
        Why is it still running? {processes.length === 1 ? '1 process' : `${processes.length} processes`}
      </summary>
      <ul className="font-mono text-sm">
        {inTree(processes).map(({ process: { pid, state: letter, command }, depth }) => (
          <li key={pid} style={{ paddingInlineStart: `${depth * 1.25}rem` }}>
            <span className="text-ink-3 tabular-nums">{pid}</span> {STATES[letter[0] ?? ''] ?? letter}{' '}
            <bdi>{clipLine(command, 300)}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}

const STATES: Record<string, string> = {
  R: 'running',
  S: 'waiting',
  D: 'waiting for a device',
  T: 'stopped',
  t: 'traced',
  I: 'idle',
};

function inTree(processes: ShellProcess[]): { process: ShellProcess; depth: number }[] {
  const pids = new Set(processes.map(({ pid }) => pid));
  const below = (parent: number, depth: number): { process: ShellProcess; depth: number }[] =>
    processes
      .filter((one) => one.parent === parent)
      .flatMap((process) => [{ process, depth }, ...below(process.pid, depth + 1)]);
  return processes
    .filter(({ parent }) => !pids.has(parent))
    .flatMap((process) => [{ process, depth: 0 }, ...below(process.pid, 1)]);
}
