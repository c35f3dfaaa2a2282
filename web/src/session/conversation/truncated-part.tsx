import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { MessagePart } from '../../../../src/contract/messages.ts';
import { getMessage } from '../../../../src/contract/routes/messages.ts';
import { call, messageOf } from '../../api/request.ts';
import { useConversationContext } from './conversation-context.ts';
import { useExpanded } from './expanded-parts.ts';

interface Props<T extends MessagePart> {
  messageId: string;
  /** Which part of its message. */
  index: number;
  part: T;
  clipped: boolean;
  children: (part: T) => ReactNode;
}

/** A part that may be truncated, with a button to load the rest. */
export function TruncatedPart<T extends MessagePart>({ messageId, index, part, clipped, children }: Props<T>) {
  const where = useConversationContext();
  const [wanted, toggle] = useExpanded(`${messageId}/${index}/all`);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['message', where.sessionId, where.agentId, messageId],
    queryFn: () =>
      call(getMessage, {
        params: { id: where.sessionId, messageId },
        query: { agentId: where.agentId ?? undefined },
      }),
    enabled: clipped && wanted,
    staleTime: Number.POSITIVE_INFINITY,
    // The full text may be megabytes.
    gcTime: 30_000,
  });
  if (!clipped) return children(part);
  const whole = data?.parts[index];
  const all = wanted && whole?.kind === part.kind ? (whole as T) : null;
  return (
    <>
      {children(all ?? part)}
      <p className="flex flex-wrap items-center gap-2 text-sm text-ink-3">
        {!all && <span>Cut off here.</span>}
        <button
          type="button"
          className="text-button"
          disabled={isFetching}
          onClick={error ? () => void refetch() : toggle}
        >
          {isFetching ? 'Loading…' : error ? 'Try again' : wanted ? 'Show less' : 'Show all'}
        </button>
        {error && <span role="alert">{messageOf(error)}</span>}
      </p>
    </>
  );
}
