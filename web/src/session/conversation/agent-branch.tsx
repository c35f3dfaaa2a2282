import { Link } from '@tanstack/react-router';
import { CornerDownRight } from 'lucide-react';
import { Collapsible } from './collapsible.tsx';
import { useConversationContext } from './conversation-context.ts';
import { ShortConversation } from './short-conversation.tsx';

/** Deeper levels open on their own page. */
const MAX_DEPTH = 2;

/** The conversation of the subagent this call started, inline or on its own page. */
export function AgentBranch({ messageId, agentId }: { messageId: string; agentId: string }) {
  const { sessionId, depth } = useConversationContext();
  const link = (
    <Link to="/sessions/$sessionId" params={{ sessionId }} search={{ agent: agentId }} className="link self-start">
      Open conversation
    </Link>
  );
  if (depth >= MAX_DEPTH) return link;
  return (
    <>
      <Collapsible
        partKey={`${messageId}/agent/${agentId}`}
        line={
          <>
            <CornerDownRight aria-hidden size={14} className="collapsible-icon" />
            <span className="font-medium text-ink-2">What the subagent did</span>
          </>
        }
      >
        {() => <ShortConversation sessionId={sessionId} agentId={agentId} depth={depth + 1} />}
      </Collapsible>
      {link}
    </>
  );
}
