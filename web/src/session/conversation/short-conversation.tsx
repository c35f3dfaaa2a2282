import { useState } from 'react';
import { useSession } from '../../live/live.ts';
import { Failure, Skeleton } from '../../ui/states.tsx';
import { type ConversationContext, ConversationProvider } from './conversation-context.ts';
import { MessageRow } from './message-row.tsx';
import { useConversation, useFollow } from './use-conversation.ts';

const LIMIT = 20;

interface Props {
  sessionId: string;
  agentId: string;
  depth: number;
}

/** The end of a subagent's conversation inside its parent's, with a button for earlier messages. */
export function ShortConversation({ sessionId, agentId, depth }: Props) {
  const [view, conversation] = useConversation({ sessionId, agentId, limit: LIMIT, place: 'end' });
  const agent = useSession(sessionId)?.subAgents.find(({ id }) => id === agentId);
  const isLive = agent !== undefined && agent.endedAt === null;
  useFollow(conversation, useSession(sessionId)?.seq, { active: isLive });
  const [where] = useState<Omit<ConversationContext, 'isLive'>>({ sessionId, agentId, depth });
  if (view.phase === 'opening' && view.messages.length === 0) return <Skeleton what="the subagent's conversation" />;
  if (view.phase === 'failed')
    return <Failure message={view.error ?? ''} onRetry={() => void conversation.open('end')} />;
  return (
    <ConversationProvider value={{ ...where, isLive }}>
      <div className="short-conversation">
        {view.hasEarlier && (
          <button
            type="button"
            className="text-button self-start"
            disabled={view.loading !== null}
            onClick={() => void conversation.loadEarlier()}
          >
            Show earlier messages
          </button>
        )}
        {view.messages.map((message, index) => (
          <MessageRow key={message.id} message={message} before={view.messages[index - 1]} />
        ))}
      </div>
    </ConversationProvider>
  );
}
