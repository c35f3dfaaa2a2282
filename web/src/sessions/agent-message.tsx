import type { LiveSession } from '../../../src/contract/sessions.ts';
import { clip } from '../ui/format.ts';
import { plainText } from './plain-text.ts';

const MAX_CHARS = 1_000;
const MAX_COMPACT_CHARS = 280;

interface Props {
  session: LiveSession;
  /** The subagent that is asking, if one is. */
  agentId?: string | undefined;
  /** On a card: a few lines. */
  compact?: boolean;
}

/** What the agent said before it asked or stopped, for context. */
export function AgentMessage({ session, agentId, compact = false }: Props) {
  const said =
    agentId === undefined ? session.lastAgentMessage : session.subAgents.find(({ id }) => id === agentId)?.lastMessage;
  if (!said) return null;
  return (
    <figure className="agent-message" data-compact={compact || undefined}>
      <figcaption className={compact ? 'sr-only' : undefined}>Last message</figcaption>
      <blockquote dir="auto">{clip(plainText(said), { max: compact ? MAX_COMPACT_CHARS : MAX_CHARS })}</blockquote>
    </figure>
  );
}
