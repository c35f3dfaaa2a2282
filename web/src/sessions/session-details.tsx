import type { ReactNode } from 'react';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { StopButton } from '../control/stop-button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatDateTime } from '../ui/dates.ts';
import { clip, formatUsd, shortModel } from '../ui/format.ts';
import { Elapsed } from './elapsed.tsx';
import { OTHER_REQUESTS } from './other-requests.ts';
import { SpendingNotes } from './spending-notes.tsx';
import { TaskList } from './task-progress.tsx';

const MAX_PROMPT_CHARS = 4000;

export function SessionDetails({ session }: { session: LiveSession }) {
  const { cwd, pid, clientVersion, transcriptPath, permissionMode, endReason } = session;
  const { firstUserMessage, lastUserMessage } = session;
  return (
    <div className="above flex flex-col gap-3 border-t border-line bg-sunken px-3 py-3 text-sm">
      {firstUserMessage && !isSame(firstUserMessage, lastUserMessage) && (
        <Prompt name="First prompt">{firstUserMessage}</Prompt>
      )}
      {lastUserMessage && <Prompt name="Last prompt">{lastUserMessage}</Prompt>}
      <TaskList items={session.progressItems} />
      <div className="flex flex-wrap gap-2 empty:hidden">
        <StopButton session={session} />
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <Row name="Session" copy={session.id}>
          <Mono>{session.id}</Mono>
        </Row>
        {cwd && (
          <Row name="Folder" copy={cwd}>
            <Mono>{cwd}</Mono>
          </Row>
        )}
        {transcriptPath && (
          <Row name="Transcript" copy={transcriptPath}>
            <Mono>{transcriptPath}</Mono>
          </Row>
        )}
        {pid !== null && (
          <Row name="Process">
            <Mono>{pid}</Mono>
            {clientVersion && <span className="text-ink-3"> · client {clip(clientVersion, { max: 40 })}</span>}
          </Row>
        )}
        {permissionMode && <Row name="Mode">{clip(permissionMode, { max: 60 })}</Row>}
        <Spending session={session} />
        <Row name="Started">
          {formatDateTime(session.startedAt)} · <Elapsed since={session.startedAt} until={session.endedAt} />
        </Row>
        <Row name="Last event">
          <Elapsed since={session.lastActivityAt} /> ago
        </Row>
        {endReason && <Row name="Ended by">{clip(endReason, { max: 200 })}</Row>}
      </dl>
    </div>
  );
}

/** Where the cost comes from, if not only from messages. */
function Spending({ session }: { session: LiveSession }) {
  const { otherUsage, inherited, uncounted, endedAt } = session;
  if (otherUsage.length === 0 && !inherited && !uncounted) return null;
  return (
    <Row name="Cost">
      {otherUsage.map(({ model, cost }) => (
        <span key={model} className="block" data-spending="other" title={OTHER_REQUESTS}>
          {cost ? formatUsd(cost.totalUsd) : 'An unknown part'} of that for other requests to {shortModel(model)}
        </span>
      ))}
      <SpendingNotes inherited={inherited} uncounted={uncounted} hasEnded={endedAt !== null} />
    </Row>
  );
}

/** One may be truncated earlier than the other: they come from hooks and transcripts. */
function isSame(first: string, last: string | null): boolean {
  return last?.slice(0, 150) === first.slice(0, 150);
}

function Prompt({ name, children }: { name: string; children: string }) {
  return (
    <figure className="m-0">
      <figcaption className="mb-1 text-ink-3">{name}</figcaption>
      <blockquote dir="auto" className="max-h-40 overflow-y-auto whitespace-pre-wrap text-ink">
        {clip(children, { max: MAX_PROMPT_CHARS })}
      </blockquote>
    </figure>
  );
}

function Row({ name, copy, children }: { name: string; copy?: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="flex items-start justify-between gap-2 text-ink-2">
        <span className="min-w-0">{children}</span>
        {copy && <CopyButton text={copy} what={name.toLowerCase()} />}
      </dd>
    </>
  );
}

function Mono({ children }: { children: ReactNode }) {
  return (
    <span dir="ltr" className="break-all font-mono text-code">
      {children}
    </span>
  );
}
