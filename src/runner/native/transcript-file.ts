import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ContentBlockParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { PromptBlock } from '../../agent/loop/conversation.ts';
import type { Stored, Used } from './conversation-file.ts';

export interface TranscriptPlace {
  /** Holds one folder per project, like Claude Code's. */
  root: string;
  sessionId: string;
  cwd: string;
  branch: string | null;
  version: string;
  agentId?: string;
}

export function transcriptPath({ root, sessionId, cwd, agentId }: TranscriptPlace): string {
  const folder = join(root, cwd.replaceAll(/[^a-zA-Z0-9]/g, '-').slice(-200));
  return agentId ? join(folder, sessionId, 'subagents', `agent-${agentId}.jsonl`) : join(folder, `${sessionId}.jsonl`);
}

interface Reply {
  id: string;
  blocks: ContentBlockParam[];
  ended: { at: number; uuid: string; keep: number } | null;
}

/**
 * The conversation in the format of Claude Code's transcripts, so that history, search, costs, pages and exports can read it. It is a fold
 * over the stored lines; nothing is ever read back from it.
 */
export class TranscriptFile {
  readonly path: string;
  readonly #place: TranscriptPlace;
  readonly #calls = new Map<string, { name: string; input: Record<string, unknown> }>();
  #reply: Reply | null = null;
  /** Results that arrived before their reply was complete. */
  #early: { at: number; uuid: string; result: ToolResultBlockParam }[] = [];
  #parent: string | null = null;
  #isMade = false;
  /** While catching up: the messages that are already in the file. */
  #written: Set<string> | null = null;
  #copiedFrom: string | null = null;

  constructor(place: TranscriptPlace) {
    this.#place = place;
    this.path = transcriptPath(place);
  }

  add(line: Stored): void {
    if ('used' in line) this.#addUsed(line.at, line.used);
    else this.#addEntry(line);
  }

  #addEntry({ at, uuid, entry }: Extract<Stored, { entry: unknown }>): void {
    switch (entry.type) {
      case 'prompt':
        this.#endReply();
        this.#write('user', at, uuid, { message: { role: 'user', content: contentOf(entry.content) }, ...HUMAN });
        return;
      case 'block':
        if (this.#reply?.id !== entry.reply) {
          this.#endReply();
          this.#reply = { id: entry.reply, blocks: [], ended: null };
        }
        this.#reply.blocks.push(entry.block);
        return;
      case 'reply.ended':
        if (this.#reply?.id === entry.reply) this.#reply.ended = { at, uuid, keep: entry.keep };
        return;
      case 'result':
        if (this.#reply) this.#early.push({ at, uuid, result: entry.result });
        else this.#writeResult(at, uuid, entry.result);
        return;
      case 'interrupted':
        this.#endReply();
        this.#write('user', at, uuid, { message: { role: 'user', content: INTERRUPTED } });
        return;
      case 'compacted':
        this.#endReply();
        this.#write('system', at, `${uuid}-boundary`, {
          subtype: 'compact_boundary',
          content: 'Conversation compacted',
        });
        this.#write('user', at, uuid, {
          message: { role: 'user', content: contentOf(entry.content) },
          isCompactSummary: true,
        });
    }
  }

  /** A reply is complete when its usage is known. Usage without a reply (a summary, a dropped reply) only records the tokens. */
  #addUsed(at: number, used: Used): void {
    if (this.#reply?.id === used.requestId && this.#reply.ended) this.#endReply(used);
    else this.#writeReply(at, `${used.requestId}-used`, used.requestId, [], used);
  }

  #endReply(used?: Used): void {
    const reply = this.#reply;
    this.#reply = null;
    if (reply?.ended) {
      const { at, uuid, keep } = reply.ended;
      const kept = reply.blocks.slice(0, keep);
      if (kept.length > 0 || used) this.#writeReply(at, uuid, reply.id, kept, used);
    }
    for (const { at, uuid, result } of this.#early.splice(0)) this.#writeResult(at, uuid, result);
  }

  #writeReply(at: number, uuid: string, id: string, content: ContentBlockParam[], used: Used | undefined): void {
    for (const block of content)
      if (block.type === 'tool_use')
        this.#calls.set(block.id, { name: block.name, input: block.input as Record<string, unknown> });
    const calls = content.some(({ type }) => type === 'tool_use');
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      model: used?.model ?? '<synthetic>',
      content,
      stop_reason: calls ? 'tool_use' : 'end_turn',
      ...(used ? { usage: toUsage(used) } : {}),
    };
    this.#write('assistant', at, uuid, { message, requestId: id });
  }

  #writeResult(at: number, uuid: string, result: ToolResultBlockParam): void {
    const call = this.#calls.get(result.tool_use_id);
    const toolUseResult = call && result.is_error !== true ? detailsOf(call, result.tool_use_id) : undefined;
    this.#write('user', at, uuid, {
      message: { role: 'user', content: [result] },
      ...(toolUseResult ? { toolUseResult } : {}),
    });
  }

  #write(type: string, at: number, uuid: string, fields: object): void {
    const { sessionId, cwd, branch, version, agentId } = this.#place;
    const before = this.#parent;
    this.#parent = uuid;
    if (this.#written?.has(uuid)) return;
    const line = {
      parentUuid: before,
      isSidechain: agentId !== undefined,
      ...(agentId ? { agentId } : {}),
      type,
      ...fields,
      uuid,
      timestamp: new Date(at).toISOString(),
      entrypoint: 'groundcontrol',
      cwd,
      sessionId,
      version,
      ...(branch ? { gitBranch: branch } : {}),
      ...(this.#copiedFrom === null ? {} : { forkedFrom: { sessionId: this.#copiedFrom, messageUuid: uuid } }),
    };
    if (!this.#isMade) mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    this.#isMade = true;
    appendFileSync(this.path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  /** Continues where another process stopped, and first writes what that process didn't get to. */
  continueAfter(lines: readonly Stored[]): void {
    this.#written = readWritten(this.path);
    for (const line of lines) this.add(line);
    this.#written = null;
  }

  /** The history of a fork. Its lines are marked so that their cost isn't counted twice. */
  copy(lines: readonly Stored[], from: string): void {
    this.#copiedFrom = from;
    for (const line of lines) this.add(line);
    this.#copiedFrom = null;
  }
}

/** The messages in the file. Truncates a partial last line. */
function readWritten(path: string): Set<string> {
  if (!existsSync(path)) return new Set();
  const content = readFileSync(path);
  const end = content.lastIndexOf(0x0a) + 1;
  if (end < content.length) truncateSync(path, end);
  const lines = content.toString('utf8', 0, end).split('\n').slice(0, -1);
  return new Set(lines.map((line) => (JSON.parse(line) as { uuid: string }).uuid));
}

const HUMAN = { origin: { kind: 'human' }, promptSource: 'typed' };
const INTERRUPTED = [{ type: 'text', text: '[Request interrupted by user]' }];

/** Instructions and environment are sent with the first prompt. They are for the model; the operator wrote the rest. */
function contentOf(all: PromptBlock[]): string | PromptBlock[] {
  const isOurs = (block: PromptBlock) => block.type === 'text' && block.text.startsWith('<system-reminder>');
  const written = all.filter((block) => !isOurs(block));
  const blocks = written.length > 0 ? written : all;
  const [only] = blocks;
  return blocks.length === 1 && only?.type === 'text' ? only.text : blocks;
}

function toUsage({ tokens }: Used) {
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens, cacheCreation1hTokens } = tokens;
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation_input_tokens: cacheCreationTokens,
    cache_creation: {
      ephemeral_1h_input_tokens: cacheCreation1hTokens,
      ephemeral_5m_input_tokens: cacheCreationTokens - cacheCreation1hTokens,
    },
  };
}

/** Extra data that pages show next to a result: the task list, and which subagent a call started. */
function detailsOf(
  { name, input }: { name: string; input: Record<string, unknown> },
  callId: string,
): object | undefined {
  if (name === 'TodoWrite') return { newTodos: input.todos };
  if (name === 'Task') return { agentId: callId, description: input.description, prompt: input.prompt };
  return undefined;
}
