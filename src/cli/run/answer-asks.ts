import type { PendingAsk } from '../../agent/permission/asks.ts';
import type { Decision } from '../../agent/permission/decision.ts';
import type { NativeSession } from '../../runner/native/native-session.ts';
import { oneLine, paint } from '../output.ts';
import type { Screen } from './screen.ts';
import { colorDiff } from './show.ts';

const by = 'operator';
const LOOK_MS = 30;
const SAID = { allow: 'Allowed.', deny: 'Denied.', background: 'Allowed, in the background.', kill: 'Killed.' };

/**
 * Asks the person at the terminal, one question at a time, oldest first. The first answer wins: a question that was answered on a page or a phone
 * disappears here with a note.
 */
export class AnswerAsks {
  readonly #session: NativeSession;
  readonly #screen: Screen;
  readonly #timer: NodeJS.Timeout;
  #current: { id: string; gone: AbortController } | null = null;

  constructor(session: NativeSession, screen: Screen) {
    this.#session = session;
    this.#screen = screen;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#current?.gone.abort();
  }

  #look(): void {
    const pending = this.#session.asks.pending();
    if (this.#current) {
      if (!pending.some(({ id }) => id === this.#current?.id)) this.#current.gone.abort();
      return;
    }
    const [next] = pending;
    if (!next) return;
    const gone = new AbortController();
    this.#current = { id: next.id, gone };
    void this.#ask(next, gone.signal).finally(() => {
      this.#current = null;
    });
  }

  async #ask(ask: PendingAsk, signal: AbortSignal): Promise<void> {
    const { agent, asks } = this.#session;
    const waited = agent.stats.decisions;
    const before = new Map(waited);
    this.#screen.bell();
    const decision = await this.#question(ask, signal);
    if (decision && asks.pending().some(({ id }) => id === ask.id)) {
      if (ask.call.kind !== 'question') this.#screen.print(paint('dim', SAID[decision.decision]));
      asks.settle(ask.id, decision);
      return;
    }
    const elsewhere = [...waited].find(([key, count]) => key.endsWith(` by ${by}`) && count > (before.get(key) ?? 0));
    if (elsewhere) this.#screen.print(paint('yellow', `Answered from Ground Control: ${elsewhere[0].split(' ')[0]}.`));
  }

  async #question({ call }: PendingAsk, signal: AbortSignal): Promise<Decision | undefined> {
    if (call.kind === 'question') return this.#askQuestion(call.input, signal);
    const screen = this.#screen;
    const title = call.kind === 'plan' ? 'Carry out this plan?' : `Allow ${call.name}?`;
    const about = call.preview
      ? colorDiff(call.preview)
      : String(call.input.plan ?? call.input.command ?? JSON.stringify(call.input, null, 2));
    screen.print(
      '',
      paint('bold', title),
      ...(call.mustAsk ? [paint('yellow', call.mustAsk)] : []),
      ...about.split('\n'),
    );
    const canEdit = typeof call.input.command === 'string';
    const choices = [
      '[y]es',
      ...(canEdit ? ['[e]dit'] : []),
      '[n]o',
      ...(call.canBackground ? ['[b]ackground'] : []),
      '[k]ill',
    ];
    for (;;) {
      const key = await screen.choose(paint('bold', `${choices.join('  ')}  `), keysOf(choices), signal);
      if (key === undefined) return undefined;
      const decision = await this.#decide(key, call.input, signal);
      if (decision || signal.aborted) return decision;
    }
  }

  /** undefined: Esc in the line that the key opened, which goes back to the choice. */
  async #decide(key: string, input: Record<string, unknown>, signal: AbortSignal): Promise<Decision | undefined> {
    const screen = this.#screen;
    if (key === 'y') return { decision: 'allow', by };
    if (key === 'b') return { decision: 'background', by };
    if (key === 'k') return { decision: 'kill', by };
    if (key === 'e') {
      const command = await screen.readLine('Command: ', String(input.command), signal);
      return command === undefined ? undefined : { decision: 'allow', by, updatedInput: { ...input, command } };
    }
    const message = await screen.readLine('Tell the agent why (optional): ', '', signal);
    if (message === undefined) return undefined;
    return { decision: 'deny', by, ...(message.trim() === '' ? {} : { message }) };
  }

  async #askQuestion(input: Record<string, unknown>, signal: AbortSignal): Promise<Decision | undefined> {
    const answers: Record<string, string> = {};
    const questions = input.questions as { question: string; multiSelect?: boolean; options?: Option[] }[];
    for (const { question, multiSelect, options = [] } of questions) {
      this.#screen.print('', paint('bold', oneLine(question)), ...options.map(describeOption));
      const prompt = multiSelect ? 'Answer (numbers, or your own words): ' : 'Answer (a number, or your own words): ';
      const answer = await this.#screen.readLine(prompt, '', signal);
      if (signal.aborted) return undefined;
      if (answer === undefined) return { decision: 'deny', by, message: 'The operator did not answer.' };
      answers[question] = chosen(answer.trim(), options, multiSelect === true);
    }
    return { decision: 'allow', by, updatedInput: { ...input, answers } };
  }
}

interface Option {
  label: string;
  description?: string;
}

const keysOf = (choices: string[]): string => choices.map((choice) => choice[1]).join('');

function describeOption({ label, description }: Option, at: number): string {
  const more = description ? paint('dim', `  ${oneLine(description)}`) : '';
  return `  ${at + 1}. ${oneLine(label)}${more}`;
}

function chosen(answer: string, options: Option[], isMany: boolean): string {
  const numbers = isMany ? answer.split(/[\s,]+/) : [answer];
  const labels = numbers.map((number) => options[Number(number) - 1]?.label);
  return labels.every((label) => label !== undefined) ? labels.join(', ') : answer;
}
