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
  /** undefined: not an image we draw. */
  image: (imageId: string) => ImageData | undefined;
  /** A subagent's conversation. undefined: there is none, or it already appears elsewhere. */
  agent: (agentId: string) => Conversation | undefined;
}

/** An export format, written in chunks. The others are subagents no call led to. */
export type Writer = (
  head: ExportHead,
  conversation: Conversation,
  others: Iterable<[agentId: string, Conversation]>,
) => Iterable<string>;

export const ROLE_NAMES = { user: 'You', assistant: 'Claude', system: 'Client' };

export function formatTime(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString().replace('T', ' ').slice(0, 19);
}
