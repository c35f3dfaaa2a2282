import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Meter, Usage } from './meter.ts';
import type { Random } from './random.ts';
import { CLIENT_VERSION } from './simulated-client.ts';

export type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }
  | { type: 'image'; source: { type: 'base64'; media_type: string; data: string } };

export interface TranscriptPlace {
  configDir: string;
  sessionId: string;
  cwd: string;
  branch: string;
}

type Line = Record<string, unknown>;

/** Where the client keeps the conversation of a session, and of its subagents. */
export function transcriptPath({ configDir, sessionId, cwd }: TranscriptPlace, agentId?: string): string {
  const folder = join(configDir, 'projects', cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'));
  return agentId ? join(folder, sessionId, 'subagents', `agent-${agentId}.jsonl`) : join(folder, `${sessionId}.jsonl`);
}

export interface TranscriptOptions extends TranscriptPlace {
  random: Random;
  now: () => number;
  meter: Meter;
  model: string;
  agentId?: string | undefined;
}

/** Writes a conversation line by line, like the client: each block of a response is a separate line with the same message id. */
export class Transcript {
  readonly path: string;
  readonly #options: TranscriptOptions;
  #parent: string | null = null;
  #promptId = '';
  #prompts = 0;
  #held: string[] | undefined;
  #lastAnswer = '';

  constructor(options: TranscriptOptions) {
    this.#options = options;
    this.path = transcriptPath(options, options.agentId);
    mkdirSync(dirname(this.path), { recursive: true });
  }

  get promptId(): string {
    return this.#promptId;
  }

  /** From now on nothing is written until `flush`, for past conversations. */
  hold(): void {
    this.#held = [];
  }

  flush(modifiedAt: number): void {
    writeFileSync(this.path, (this.#held ?? []).join(''));
    utimesSync(this.path, modifiedAt / 1000, modifiedAt / 1000);
    this.#held = undefined;
  }

  /** A prompt to the agent. */
  prompt(text: string, { image, isOurs = false, mode = 'default' }: PromptLine = {}): void {
    const { random, meter, agentId } = this.#options;
    meter.add(text);
    this.#promptId = random.uuid();
    this.#prompts++;
    const blocks: Block[] = [{ type: 'text', text }];
    if (image) {
      blocks.push({
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: image.toString('base64') },
      });
    }
    const origin = isOurs ? { kind: 'task-notification', producer: 'hook' } : { kind: 'human' };
    this.#write('user', {
      promptId: this.#promptId,
      message: { role: 'user', content: image ? blocks : text },
      ...(agentId
        ? {}
        : {
            permissionMode: mode,
            origin,
            promptSource: isOurs ? 'system' : 'typed',
            turnPosition: { promptIndex: this.#prompts, turnIndex: this.#prompts },
          }),
    });
  }

  /** One model response. */
  answer(blocks: Block[]): void {
    const { random, meter, model } = this.#options;
    const usage: Usage = meter.answer(blocks.map(textOf).join('\n'));
    const id = `msg_01${random.hex(22)}`;
    const requestId = `req_011${random.hex(21)}`;
    const asks = blocks.some(({ type }) => type === 'tool_use');
    const stop_reason = asks ? 'tool_use' : 'end_turn';
    for (const block of blocks) {
      const message = { id, type: 'message', role: 'assistant', model, content: [block], stop_reason, usage };
      this.#lastAnswer = this.#write('assistant', { message: { ...message, stop_sequence: null }, requestId });
    }
  }

  toolResult(toolUseId: string, { content, toolUseResult, isError = false }: ResultLine): void {
    this.#options.meter.add(typeof content === 'string' ? content : JSON.stringify(content).slice(0, 6000));
    const result = { tool_use_id: toolUseId, type: 'tool_result', content, ...(isError ? { is_error: true } : {}) };
    this.#write('user', {
      promptId: this.#promptId,
      message: { role: 'user', content: [result] },
      toolUseResult,
      sourceToolAssistantUUID: this.#lastAnswer,
    });
  }

  interrupted(): void {
    const content = [{ type: 'text', text: '[Request interrupted by user]' }];
    this.#write('user', { promptId: this.#promptId, message: { role: 'user', content } });
  }

  apiError(text: string, { status, type, error }: { status: number; type: string; error: string }): void {
    const nothing = {
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
    };
    this.#write('assistant', {
      message: {
        id: this.#options.random.uuid(),
        type: 'message',
        role: 'assistant',
        model: '<synthetic>',
        content: [{ type: 'text', text }],
        stop_reason: 'stop_sequence',
        stop_sequence: '',
        usage: nothing,
      },
      error,
      isApiErrorMessage: true,
      apiErrorStatus: status,
      apiErrorType: type,
    });
  }

  turnEnded(durationMs: number): void {
    this.#write('system', { subtype: 'turn_duration', durationMs, isMeta: false });
  }

  stoppedByHook(message: string, hookEvent: string): void {
    this.#write('attachment', {
      attachment: { type: 'hook_stopped_continuation', message, hookName: hookEvent, hookEvent },
    });
  }

  /** Lines outside the conversation. */
  note(line: Line): void {
    this.#append({ ...line, sessionId: this.#options.sessionId });
  }

  #write(type: string, fields: Line): string {
    const { random, now, sessionId, cwd, branch, agentId } = this.#options;
    const uuid = random.uuid();
    this.#append({
      parentUuid: this.#parent,
      isSidechain: agentId !== undefined,
      ...(agentId ? { agentId } : {}),
      type,
      ...fields,
      uuid,
      timestamp: new Date(now()).toISOString(),
      userType: 'external',
      entrypoint: 'cli',
      cwd,
      sessionId,
      version: CLIENT_VERSION,
      gitBranch: branch,
    });
    this.#parent = uuid;
    return uuid;
  }

  #append(line: Line): void {
    const text = `${JSON.stringify(line)}\n`;
    if (this.#held) this.#held.push(text);
    else appendFileSync(this.path, text);
  }
}

interface PromptLine {
  image?: Buffer | undefined;
  /** Sent through Ground Control. */
  isOurs?: boolean;
  mode?: string;
}

interface ResultLine {
  content: string | object[];
  toolUseResult: unknown;
  isError?: boolean;
}

function textOf(block: Block): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'thinking') return block.thinking;
  return block.type === 'tool_use' ? JSON.stringify(block.input) : '';
}
