import { basename, dirname, sep } from 'node:path';

export interface TranscriptOwner {
  sessionId: string;
  /** null: the session's own transcript. */
  agentId: string | null;
}

/** `…/<session>.jsonl`, and `…/<session>/subagents/…/agent-<id>.jsonl`. null: not a session's transcript. */
export function parseTranscriptPath(path: string): TranscriptOwner | null {
  const name = /^([\w-]+)\.jsonl$/.exec(basename(path))?.[1];
  if (!name) return null;
  const agentId = /^agent-(.+)$/.exec(name)?.[1];
  if (!agentId) return { sessionId: name, agentId: null };
  const folders = dirname(path).split(sep);
  const sessionId = folders[folders.lastIndexOf('subagents') - 1];
  return sessionId ? { sessionId, agentId } : null;
}
