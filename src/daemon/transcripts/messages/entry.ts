import type { BilledUsage } from '../prices/prices.ts';

export interface FoundImage {
  /** The how-manieth of its line. */
  index: number;
  /** Where its line begins. */
  line: number;
  mediaType: string;
  bytes: number;
}

export interface FoundResult {
  toolUseId: string;
  text: string;
  isError: boolean;
  images: FoundImage[];
  at: number | null;
  /** What the client noted beside what the model was told: patches, the subagent's id. */
  detail: unknown;
}

export type FoundPart =
  | { kind: 'text' | 'thinking'; text: string }
  | { kind: 'image'; image: FoundImage }
  | { kind: 'tool'; toolUseId: string; name: string; input: Record<string, unknown> }
  | { kind: 'notice'; notice: string; text: string };

/** What one line of a transcript tells. */
export interface Entry {
  start: number;
  end: number;
  uuid: string | null;
  role: 'user' | 'assistant' | 'system';
  at: number | null;
  isMeta: boolean;
  /** The API message that this is a part of: it comes in several lines. */
  group: string | null;
  /** It begins something new, so that no line of the message before it can follow. */
  isTurn: boolean;
  model: string | null;
  usage: BilledUsage | null;
  parts: FoundPart[];
  results: FoundResult[];
}
