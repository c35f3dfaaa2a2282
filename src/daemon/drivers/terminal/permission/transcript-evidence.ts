import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Approval } from '../../../../contract/approvals.ts';
import { parseJson } from '../../../../contract/parse-json.ts';
import { isRecord } from '../../../../contract/values.ts';
import type { Asker } from '../../../approvals/askers.ts';
import type { ReadEvidence } from '../../../approvals/deliveries.ts';
import type { CallEvidence, CallResult } from '../../../approvals/delivery-proof.ts';
import type { LiveModel } from '../../../sessions/live-model.ts';

/** How far back to look at first: a decision may have been taken while we were away. */
const TAIL_BYTES = 1024 * 1024;
/** No line is longer. */
const MAX_BYTES = 32 * 1024 * 1024;
const NEWLINE = 10;
/** A denial's own text comes first, after a few words of the client. */
const MAX_TEXT = 1000;
const REFUSED = "The user doesn't want to proceed with this tool use.";
const SAID = 'the user said:';

/** Reads the evidence for an approval from the transcript of its session, or of its subagent. */
export function transcriptEvidence(live: LiveModel) {
  return ({ sessionId, agentId }: Approval, askers: readonly Asker[]): ReadEvidence => {
    const path = live.get(sessionId)?.transcriptPath;
    const callIds = askers.flatMap(({ toolUseId }) => (toolUseId ? [toolUseId] : []));
    if (!path || callIds.length === 0 || callIds.length < askers.length) return () => Promise.resolve(undefined);
    const transcript = new TranscriptEvidence(transcriptOf(path, agentId), callIds);
    return () => transcript.read();
  };
}

/** A subagent's transcript is in a folder beside its session's. */
export function transcriptOf(sessionTranscript: string, agentId: string | undefined): string {
  if (agentId === undefined) return sessionTranscript;
  return join(sessionTranscript.replace(/\.jsonl$/, ''), 'subagents', `agent-${agentId}.jsonl`);
}

/**
 * Follows a transcript for what it says about some calls. The client writes a denial within a quarter of a second, and what it allowed once
 * the call is over, both with the hook that decided it.
 */
export class TranscriptEvidence {
  readonly #path: string;
  readonly #calls: ReadonlyMap<string, CallEvidence>;
  #position: number | undefined;

  constructor(path: string, callIds: readonly string[]) {
    this.#path = path;
    this.#calls = new Map(callIds.map((id) => [id, { namesHooks: false }]));
  }

  /** undefined: there is no transcript. */
  async read(): Promise<CallEvidence[] | undefined> {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(this.#path, flags).catch(() => undefined);
    if (!file) return undefined;
    try {
      await this.#readFrom(file);
    } finally {
      await file.close();
    }
    return [...this.#calls.values()];
  }

  async #readFrom(file: FileHandle): Promise<void> {
    const { size } = await file.stat();
    // A line that is cut off at its start isn't JSON and is skipped.
    const from = Math.min(this.#position ?? Math.max(0, size - TAIL_BYTES), size);
    const bytes = Buffer.alloc(Math.min(size - from, MAX_BYTES));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    const end = bytes.lastIndexOf(NEWLINE, bytesRead - 1) + 1;
    this.#position = from + (end === 0 && bytesRead === MAX_BYTES ? bytesRead : end);
    if (end === 0) return;
    for (const line of bytes.toString('utf8', 0, end).split('\n'))
      if ([...this.#calls.keys()].some((id) => line.includes(id))) this.#take(parseJson(line));
  }

  #take(line: unknown): void {
    if (!isRecord(line)) return;
    const { attachment, message } = line;
    if (isRecord(attachment)) this.#takeAttachment(attachment);
    if (line.type !== 'user' || !isRecord(message) || !Array.isArray(message.content)) return;
    for (const part of message.content) {
      if (!isRecord(part) || part.type !== 'tool_result') continue;
      const call = this.#callOf(part.tool_use_id);
      if (call) call.result = resultOf(part.content);
    }
  }

  #takeAttachment({ type, toolUseID, hookEvent, decision }: Record<string, unknown>): void {
    const call = this.#callOf(toolUseID);
    if (!call || typeof type !== 'string' || !type.startsWith('hook_')) return;
    call.namesHooks = true;
    if (type !== 'hook_permission_decision' || hookEvent !== 'PermissionRequest') return;
    if (decision === 'allow' || decision === 'deny') call.hookDecision = decision;
  }

  #callOf(id: unknown): CallEvidence | undefined {
    return typeof id === 'string' ? this.#calls.get(id) : undefined;
  }
}

function resultOf(content: unknown): CallResult {
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const text = parts.flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : [])).join('\n');
  const refusal = text.startsWith(REFUSED) ? (text.includes(SAID) ? 'said' : 'stopped') : undefined;
  return { ...(refusal ? { refusal } : {}), text: text.slice(0, MAX_TEXT) };
}
