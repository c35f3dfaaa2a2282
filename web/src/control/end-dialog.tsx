import { useQuery } from '@tanstack/react-query';
import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import type { SessionProcessList } from '../../../src/contract/control.ts';
import { listSessionProcesses } from '../../../src/contract/routes/control.ts';
import type { DetachedProcess } from '../../../src/contract/sessions.ts';
import { call, messageOf } from '../api/request.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { clip } from '../ui/format.ts';
import { type Stoppable, useStop } from './use-stop.ts';

/** What ends with the session's process, and what ends only if the operator chooses. */
export function EndDialog({ session, onClose }: { session: Stoppable; onClose: () => void }) {
  const { stop } = useStop(session);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { data, error } = useQuery({
    queryKey: ['processes', session.id],
    queryFn: ({ signal }) => call(listSessionProcesses, { params: { id: session.id }, signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const toggle = (id: string) =>
    setChosen((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  const end = () => {
    stop({ kill: true, endDetached: [...chosen] });
    onClose();
  };
  return (
    <Dialog
      title="End the process"
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" className="button" data-tone="red" disabled={!data && !error} onClick={end}>
            <OctagonX aria-hidden size={15} /> End the process
          </button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-ink-2">
          This ends Claude Code in its terminal{data ? belowIt(data) : ''}. The conversation is kept: you can resume it.
        </p>
        {error && (
          <p role="alert" className="notice" data-tone="red">
            {messageOf(error)}
          </p>
        )}
        {data && data.detached.length > 0 && (
          <fieldset className="flex flex-col gap-2">
            <legend className="mb-1 text-ink-2">
              The session started these processes, which run on their own. Select any to end as well:
            </legend>
            {data.detached.map((one) => (
              <Detached key={one.id} process={one} checked={chosen.includes(one.id)} onChange={() => toggle(one.id)} />
            ))}
          </fieldset>
        )}
      </div>
    </Dialog>
  );
}

function belowIt({ toolPids, serverPids }: SessionProcessList): string {
  const parts = [
    ...(toolPids.length > 0
      ? [`${toolPids.length} ${toolPids.length === 1 ? 'process' : 'processes'} of its tools`]
      : []),
    ...(serverPids.length > 0 ? ['its hooks and MCP servers'] : []),
  ];
  return parts.length > 0 ? `, with ${parts.join(' and ')}` : '';
}

function Detached({
  process: { pid, command, startedAt, below, warning },
  checked,
  onChange,
}: {
  process: DetachedProcess;
  checked: boolean;
  onChange: () => void;
}) {
  return (
    <label className="flex items-start gap-2.5">
      <input type="checkbox" className="mt-1 shrink-0" checked={checked} onChange={onChange} />
      <span className="min-w-0">
        <code dir="ltr" className="break-all">
          {clip(command, { max: 300 })}
        </code>
        <span className="block text-ink-3">
          Process {pid}
          {startedAt !== null && (
            <>
              , running for <Elapsed since={startedAt} />
            </>
          )}
          {below > 0 && `, ${below} below it`}
        </span>
        {warning && (
          <span data-tone="amber" className="block text-tone">
            {warning}
          </span>
        )}
      </span>
    </label>
  );
}
