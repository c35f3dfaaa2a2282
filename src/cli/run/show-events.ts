import type { LoopEvent } from '../../agent/events.ts';
import type { PromptBlock } from '../../agent/loop/conversation.ts';
import type { Stats } from '../../agent/stats.ts';
import { oneLine, paint, readable } from '../output.ts';
import { cells, wrap } from './cells.ts';
import { MarkdownStream } from './markdown.ts';
import { describeCall, describeChange, describeTasks } from './show.ts';

/** How much of a command's output is shown live. Beyond that, only how much more there is, and its end. */
const LINES_SHOWN = 30;
const LAST_LINES = 5;
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SLOW_MS = 2000;
const MOVED = /background \(shell ID: (sh-\w+)\)/;
const UNFINISHED_ROWS = 3;

interface CommandOutput {
  shown: number;
  hidden: number;
  last: string[];
}

export interface ShowEventsOptions {
  print: (...lines: string[]) => void;
  now: () => number;
  /** Prompts typed here are on the screen already. */
  wasTyped: (text: string) => boolean;
}

/** What the agent does, as lines for a terminal. */
export class ShowEvents {
  readonly #options: ShowEventsOptions;
  readonly #markdown: MarkdownStream;
  readonly #outputs = new Map<string, CommandOutput>();
  readonly #running = new Map<string, string>();
  readonly #asked = new Set<string>();
  readonly #background = new Set<string>();
  #workingSince: number | null = null;
  #retry: { why: string; until: number } | null = null;
  #isThinking = false;
  /** Calls that wait for the operator. */
  #waiting = 0;

  constructor(options: ShowEventsOptions) {
    this.#options = options;
    this.#markdown = new MarkdownStream((line) => options.print(line));
  }

  show(event: LoopEvent): void {
    const { now } = this.#options;
    switch (event.type) {
      case 'turn.started':
        this.#workingSince = now();
        return;
      case 'turn.ended':
        this.#workingSince = null;
        this.#retry = null;
        this.end();
        if (event.outcome.kind === 'failed') this.#note(`✗ ${event.outcome.error}`, 'red');
        if (event.outcome.kind === 'interrupted') this.#note('Interrupted.', 'yellow');
        return;
      case 'entry':
        if (event.actor.id === 'main' && event.entry.type === 'prompt') this.#showPrompt(event.entry.content.at(-1));
        return;
      case 'thinking.delta':
        this.#isThinking = true;
        this.#retry = null;
        return;
      case 'text.delta':
        this.#isThinking = false;
        this.#retry = null;
        if (event.actor.id === 'main') this.#markdown.add(event.text);
        return;
      case 'reply.dropped':
        this.#note(`[the response was cut off: ${event.why}]`);
        return;
      case 'request.retrying':
        this.#retry = { why: event.why, until: now() + event.waitMs };
        this.#note(`${event.why}. Retrying in ${(event.waitMs / 1000).toFixed(1)} s (attempt ${event.attempt}).`);
        return;
      case 'tool.started': {
        const text = describeCall(event.call.name, event.call.input);
        this.#running.set(event.call.id ?? '', text);
        // these have their own display
        if (!['AskUserQuestion', 'TodoWrite', 'ExitPlanMode', 'Task'].includes(event.call.name))
          this.#note(`${byWhom(event)}▸ ${text}`);
        return;
      }
      case 'ask.raised':
        this.#asked.add(event.call?.id ?? '');
        this.#waiting += 1;
        return;
      case 'ask.settled':
        this.#waiting -= 1;
        return;
      case 'tool.output':
        this.#output(event.callId, event.stream, event.text);
        return;
      case 'tool.ended':
      case 'tool.failed':
      case 'tool.denied':
        this.#endCall(event);
        return;
      case 'context.compacting':
        this.#note('Compacting the conversation…');
        return;
      case 'model.changed':
        this.#note(`Model: ${event.model}`);
        return;
      case 'notice':
        this.#note(event.message ?? '', 'yellow');
        return;
      case 'subagent.started':
        this.#note(`▸ ${event.actor.type ?? 'agent'}: ${oneLine(event.description ?? '')}`);
        return;
      case 'shell.ended':
        if (!this.#background.has(event.shellId)) return;
        this.#note(
          `Shell ${event.shellId} ended${event.exitCode === null ? '' : ` with exit code ${event.exitCode}`}.`,
        );
        return;
    }
  }

  /** Ends the line being written. */
  end(): void {
    this.#markdown.end();
  }

  /** The live lines: the text being written and the current activity. */
  live(width: number, stats: Stats, extra: string[]): string[] {
    const { unfinished } = this.#markdown;
    const rows = unfinished === '' ? [] : wrap(readable(unfinished), width).slice(-UNFINISHED_ROWS);
    return [...rows, paint('dim', this.#status(stats, extra, width))];
  }

  #status(stats: Stats, extra: string[], width: number): string {
    const { now } = this.#options;
    const cost = stats.requests > 0 ? [`$${stats.costUsd.toFixed(4)}`] : [];
    const full =
      stats.contextLimit > 0 ? [`${Math.round((stats.contextTokens / stats.contextLimit) * 100)}% context`] : [];
    if (this.#workingSince === null) return [...cost, ...full, ...extra].join(' · ');
    const spinner = SPINNER[Math.floor(now() / 120) % SPINNER.length];
    const seconds = Math.floor((now() - this.#workingSince) / 1000);
    const parts = [`${spinner} ${this.#doing()} ${seconds} s`, ...cost, ...extra, 'Esc interrupts'];
    while (parts.length > 2 && cells(parts.join(' · ')) > width) parts.splice(1, 1);
    return parts.join(' · ');
  }

  #doing(): string {
    if (this.#retry) {
      const left = Math.max(0, Math.ceil((this.#retry.until - this.#options.now()) / 1000));
      return `Retrying in ${left} s,`;
    }
    if (this.#waiting > 0) return 'Waiting for you,';
    const [call] = this.#running.values();
    if (this.#running.size > 1) return `Running ${this.#running.size} tools,`;
    if (call !== undefined) return `${call.length > 40 ? `${call.slice(0, 40)}…` : call},`;
    return this.#isThinking ? 'Thinking,' : 'Working,';
  }

  #showPrompt(block: PromptBlock | undefined): void {
    const text = block?.type === 'text' ? block.text : '';
    if (text === '' || this.#options.wasTyped(text)) return;
    this.end();
    const lines = readable(text).split('\n');
    this.#options.print(...lines.map((line, at) => paint('bold', `${at === 0 ? '> ' : '  '}${line}`)));
    this.#note('(sent from Ground Control)');
  }

  #output(callId: string, stream: 'stdout' | 'stderr', text: string): void {
    const output = this.#outputs.get(callId) ?? { shown: 0, hidden: 0, last: [] };
    this.#outputs.set(callId, output);
    const lines = readable(text)
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => paintOutput(stream, line));
    const free = Math.max(0, LINES_SHOWN - output.shown);
    if (free > 0) {
      this.end();
      this.#options.print(...lines.slice(0, free));
    }
    const rest = lines.slice(free);
    output.shown += lines.length - rest.length;
    output.hidden += rest.length;
    output.last = [...output.last, ...rest].slice(-LAST_LINES);
  }

  #endCall(event: Extract<LoopEvent, { type: 'tool.ended' | 'tool.failed' | 'tool.denied' }>): void {
    const { id = '', name, input } = event.call;
    this.#running.delete(id);
    const output = this.#outputs.get(id);
    this.#outputs.delete(id);
    if (output && output.hidden > output.last.length)
      this.#options.print(paint('dim', `  … ${output.hidden - output.last.length} more lines`));
    if (output) this.#options.print(...output.last);
    if (event.type === 'tool.denied') this.#note(`✗ ${name}: ${short(event.reason ?? 'denied')}`, 'yellow');
    else if (event.type === 'tool.failed') this.#note(`✗ ${name}: ${short(String(event.error ?? ''))}`, 'red');
    else {
      // a call that needed approval was already shown
      if (!this.#asked.has(id)) this.#options.print(...describeChange(name, input));
      this.#options.print(...describeTasks(name, input));
      const [, shell] = MOVED.exec(String(event.output)) ?? [];
      if (shell !== undefined) this.#background.add(shell);
      if (shell !== undefined) this.#note(`  In the background as ${shell}. /shells lists them.`);
      else if ((event.durationMs ?? 0) > SLOW_MS) this.#note(`  ${((event.durationMs ?? 0) / 1000).toFixed(1)} s`);
    }
    this.#asked.delete(id);
  }

  #note(text: string, color: 'dim' | 'red' | 'yellow' = 'dim'): void {
    this.end();
    this.#options.print(paint(color, oneLine(text)));
  }
}

const short = (text: string): string => oneLine(text).slice(0, 300);

function byWhom({ actor }: { actor: { id: string; type?: string | undefined } }): string {
  return actor.id === 'main' ? '' : `${actor.type ?? 'agent'}: `;
}

function paintOutput(stream: 'stdout' | 'stderr', line: string): string {
  return stream === 'stderr' ? paint('red', `  ┆ ${line}`) : paint('dim', `  │ ${line}`);
}
