import type { BilledUsage } from '../prices/prices.ts';

export interface FoundImage {
  /** Its index within its line. */
  index: number;
  /** Where its line starts. */
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
  /** What the client noted besides what the model was told: patches, the subagent's id. */
  detail: unknown;
}

export type FoundPart =
  | { kind: 'text' | 'thinking'; text: string }
  | { kind: 'image'; image: FoundImage }
  | { kind: 'tool'; toolUseId: string; name: string; input: Record<string, unknown> }
  | { kind: 'notice'; notice: string; text: string };

/** What one transcript line says. */
export interface Entry {
  start: number;
  end: number;
  uuid: string | null;
  role: 'user' | 'assistant' | 'system';
  at: number | null;
  isMeta: boolean;
  /** The API message this is part of: it comes in several lines. */
  group: string | null;
  /** It starts something new, so no line of the previous message can follow. */
  isTurn: boolean;
  model: string | null;
  usage: BilledUsage | null;
  parts: FoundPart[];
  results: FoundResult[];
}
