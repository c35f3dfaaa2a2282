import { Check, CircleX, Hand, Loader } from 'lucide-react';
import type { MessagePart } from '../../../../src/contract/messages.ts';
import { useApprovalsOf } from '../../live/live.ts';
import { formatDuration } from '../../ui/format.ts';
import { Collapsible } from './collapsible.tsx';
import { useConversationContext } from './conversation-context.ts';
import { ToolDetails } from './tool-details.tsx';
import { toolWords } from './tool-words.ts';
import { TruncatedPart } from './truncated-part.tsx';

export type ToolCall = Extract<MessagePart, { kind: 'tool' }>;

interface Props {
  messageId: string;
  index: number;
  part: ToolCall;
  /** When the call was made. */
  at: number | null;
}

/** One line with what was done and how it went; expanded, with input and output. */
export function ToolPart({ messageId, index, part, at }: Props) {
  const { isLive } = useConversationContext();
  const running = part.result === null && isLive;
  const { icon: Icon, verb, object, code } = toolWords(part.name, part.input, { running });
  const clipped = part.clipped || part.result?.clipped === true || part.diff?.clipped === true;
  return (
    <Collapsible
      partKey={`${messageId}/${index}`}
      tone={part.result?.isError ? 'red' : undefined}
      line={
        <>
          <Icon aria-hidden size={14} className="collapsible-icon" />
          <span className="font-medium text-ink-2">{verb}</span>
          {object && (
            <bdi className="collapsible-object" data-code={code || undefined}>
              {object}
            </bdi>
          )}
        </>
      }
      aside={
        <>
          {part.diff && <LineCounts added={part.diff.added} removed={part.diff.removed} />}
          <Outcome part={part} at={at} running={running} />
        </>
      }
    >
      {() => (
        <TruncatedPart messageId={messageId} index={index} part={part} clipped={clipped}>
          {(whole) => <ToolDetails messageId={messageId} part={whole} />}
        </TruncatedPart>
      )}
    </Collapsible>
  );
}

export function LineCounts({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="tabular-nums">
      <span className="text-[var(--green)]">+{added}</span> <span className="text-[var(--red)]">−{removed}</span>
      <span className="sr-only"> lines</span>
    </span>
  );
}

/** A call without a result: running, or waiting for the operator. */
function Running({ toolUseId }: { toolUseId: string }) {
  const waits = useApprovalsOf(useConversationContext().sessionId).some((approval) => approval.toolUseId === toolUseId);
  return waits ? (
    <span className="collapsible-outcome" data-tone="amber">
      <Hand aria-hidden size={14} className="text-tone" />
      <span className="font-semibold text-tone">needs you</span>
    </span>
  ) : (
    <span className="collapsible-outcome" data-tone="green">
      <Loader aria-hidden size={14} className="turning text-tone" /> running
    </span>
  );
}

function Outcome({ part, at, running }: { part: ToolCall; at: number | null; running: boolean }) {
  if (running) return <Running toolUseId={part.toolUseId} />;
  if (!part.result) return <span>no result</span>;
  const took = at !== null && part.result.at !== null ? part.result.at - at : null;
  return (
    <span className="collapsible-outcome">
      {took !== null && took >= 1000 && <span className="tabular-nums">{formatDuration(took)}</span>}
      {part.result.isError ? (
        <>
          <span className="font-semibold text-tone">failed</span>
          <CircleX aria-hidden size={14} className="text-tone" />
        </>
      ) : (
        <Check aria-label="done" size={14} />
      )}
    </span>
  );
}
