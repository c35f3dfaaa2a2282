import type { Message } from '../../../contract/messages.ts';
import type { ImageData } from '../messages/images.ts';

export interface ExportHead {
  sessionId: string;
  title: string;
  project: string | null;
  exportedAt: number;
  isMasked: boolean;
}

export interface Conversation {
  messages: Iterable<Message>;
  /** Undefined: not one that is drawn. */
  image: (imageId: string) => ImageData | undefined;
  /** The conversation of a subagent; undefined: there is none, or it stands elsewhere already. */
  agent: (agentId: string) => Conversation | undefined;
}

/** A form in which a session leaves the house, piece by piece. The others are its subagents to which no call led. */
export type Writer = (
  head: ExportHead,
  conversation: Conversation,
  others: Iterable<[agentId: string, Conversation]>,
) => Iterable<string>;

export const ROLE_NAMES = { user: 'You', assistant: 'Claude', system: 'Client' };

export function formatTime(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString().replace('T', ' ').slice(0, 19);
}
