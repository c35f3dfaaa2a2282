import { emitKeypressEvents } from 'node:readline';
import { createInterface } from 'node:readline/promises';
import type { LoopEvent } from '../../agent/events.ts';
import type { PendingAsk } from '../../agent/permission/asks.ts';
import type { Decision } from '../../agent/permission/decision.ts';
import type { NativeHost, NativeSession } from '../../runner/native/native-session.ts';
import { oneLine, paint, print, printLines, readable } from '../output.ts';
import { MarkdownStream } from './markdown.ts';
import { colorDiff, describeCall, describeStats } from './show.ts';

interface Key {
  name?: string;
  ctrl?: boolean;
  sequence?: string;
}

const operator = 'operator';

/** A conversation in a terminal. Finished lines are written once; only the input line is ever redrawn. */
export async function runInteractive(first: string, open: (host: NativeHost) => Promise<NativeSession>): Promise<void> {
  const screen = new Screen();
  const keys = new Keys();
  let isLeaving = false;

  const session = await open({
    emit: (event) => screen.show(event),
    nobodyThere: () => undefined,
  });
  for (const problem of session.problems) print(paint('yellow', problem));
  print(paint('dim', `${session.agent.model} in ${session.cwd}. /help for commands, Ctrl-D to leave.`));

  keys.onKey = ({ name, ctrl }) => {
    if (name === 'escape' || (ctrl && name === 'c')) session.agent.interrupt();
    if (ctrl && name === 'b')
      for (const id of session.agent.running.ids.slice(-1)) session.agent.running.background(id);
  };
  // asks are answered one at a time, oldest first: a key must never answer a question that just appeared
  const answering = answerAsks(session, keys, screen, () => isLeaving);

  try {
    for (let prompt: string | null = first || (await keys.prompt()); prompt !== null; prompt = await keys.prompt()) {
      if (prompt.trim() === '') continue;
      if (prompt.startsWith('/')) {
        if ((await runCommand(prompt.trim(), session)) === 'exit') break;
        continue;
      }
      keys.listen();
      const outcome = await session.agent.prompt(prompt);
      keys.rest();
      screen.end();
      if (outcome.kind === 'failed') print(paint('red', outcome.error));
      if (outcome.kind === 'interrupted') print(paint('yellow', 'Interrupted.'));
    }
  } finally {
    isLeaving = true;
    keys.rest();
    const left = await session.close();
    if (left.length > 0) print(paint('red', `Couldn't end these processes: ${left.join(', ')}`));
    await answering;
  }
}

async function runCommand(line: string, { agent, shells }: NativeSession): Promise<'exit' | undefined> {
  const [name = '', argument = ''] = line.split(/\s+/, 2);
  switch (name) {
    case '/exit':
    case '/quit':
      return 'exit';
    case '/cost':
      for (const text of describeStats(agent.stats)) print(text);
      return;
    case '/compact':
      await agent.compact().then(
        () => print('Compacted.'),
        (error: Error) => print(paint('red', `Not compacted: ${error.message}`)),
      );
      return;
    case '/model':
      if (argument !== '') await agent.setModel(argument);
      print(`Model: ${agent.model}`);
      return;
    case '/shells': {
      const list = shells.list();
      if (list.length === 0) print('No shells.');
      for (const shell of list) {
        const state = shell.exitCode === null ? shell.state : `${shell.state}, exit code ${shell.exitCode}`;
        print(`${paint('bold', shell.id)}  ${state}  ${oneLine(shell.command)}`);
        const tree = await shell.tree();
        if (tree !== '') printLines(tree.replace(/^/gm, '  '));
      }
      return;
    }
    case '/kill':
      try {
        const left = await shells.get(argument).kill();
        print(left.length === 0 ? `${argument} ended.` : `${argument}: still running: ${left.join(', ')}`);
      } catch (error) {
        print(paint('red', (error as Error).message));
      }
      return;
    default:
      print('/cost  /compact  /model [name]  /shells  /kill <id>  /exit');
      print('While it works: Esc interrupts, Ctrl-B sends the running command to the background.');
      return;
  }
}

async function answerAsks({ asks }: NativeSession, keys: Keys, screen: Screen, isDone: () => boolean): Promise<void> {
  const seen = new Set<string>();
  while (!isDone()) {
    const next = asks.pending().find(({ id }) => !seen.has(id));
    if (!next) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      continue;
    }
    seen.add(next.id);
    screen.end();
    const isOpen = () => asks.pending().some(({ id }) => id === next.id);
    const decision = await ask(next, keys, isOpen);
    // settled elsewhere meanwhile, or the turn was interrupted
    if (decision && isOpen()) asks.settle(next.id, decision);
  }
}

async function ask({ call }: PendingAsk, keys: Keys, isOpen: () => boolean): Promise<Decision | undefined> {
  if (call.kind === 'question') return askQuestion(call.input, keys);
  print(paint('bold', `${call.kind === 'plan' ? 'Carry out this plan?' : `Allow ${call.name}?`}`));
  if (call.mustAsk) print(paint('yellow', call.mustAsk));
  if (call.preview) printLines(colorDiff(call.preview));
  else printLines(String(call.input.plan ?? call.input.command ?? JSON.stringify(call.input, null, 2)));
  const canEdit = typeof call.input.command === 'string';
  const choices = `[y]es ${canEdit ? '[e]dit ' : ''}[n]o ${call.canBackground ? '[b]ackground ' : ''}[k]ill `;
  const key = await keys.choose(choices, `yn${canEdit ? 'e' : ''}${call.canBackground ? 'b' : ''}k`, isOpen);
  if (key === undefined) return undefined;
  if (key === 'y') return { decision: 'allow', by: operator };
  if (key === 'b') return { decision: 'background', by: operator };
  if (key === 'k') return { decision: 'kill', by: operator };
  if (key === 'e') {
    const command = await keys.line('Command: ', String(call.input.command));
    return { decision: 'allow', by: operator, updatedInput: { ...call.input, command } };
  }
  const message = await keys.line('Tell the agent why (optional): ');
  return { decision: 'deny', by: operator, ...(message.trim() === '' ? {} : { message }) };
}

async function askQuestion(input: Record<string, unknown>, keys: Keys): Promise<Decision> {
  const answers: Record<string, string> = {};
  for (const { question, options = [] } of input.questions as { question: string; options?: { label: string }[] }[]) {
    print(paint('bold', oneLine(question)));
    for (const [at, { label }] of options.entries()) print(`  ${at + 1}. ${oneLine(label)}`);
    const answer = (await keys.line('Answer (a number, or your own words): ')).trim();
    answers[question] = options[Number(answer) - 1]?.label ?? answer;
  }
  return { decision: 'allow', by: operator, updatedInput: { ...input, answers } };
}

/** What the agent does, line by line. */
class Screen {
  readonly #markdown = new MarkdownStream(print);

  show(event: LoopEvent): void {
    switch (event.type) {
      case 'text.delta':
        if (event.actor.id === 'main') this.#markdown.add(event.text);
        return;
      case 'reply.dropped':
        this.#note(`[the response was cut off: ${event.why}]`);
        return;
      case 'request.retrying':
        this.#note(`${event.why}. Retrying in ${(event.waitMs / 1000).toFixed(1)} s (attempt ${event.attempt}).`);
        return;
      case 'tool.started':
        this.#note(
          `${event.actor.id === 'main' ? '' : `${event.actor.type}: `}▸ ${describeCall(event.call.name, event.call.input)}`,
        );
        return;
      case 'tool.output':
        this.end();
        for (const line of readable(event.text).trimEnd().split('\n').slice(-20))
          print(event.stream === 'stderr' ? paint('red', `  ┆ ${line}`) : paint('dim', `  │ ${line}`));
        return;
      case 'tool.failed':
        this.#note(`✗ ${event.call.name}: ${oneLine(String(event.error ?? '')).slice(0, 300)}`, 'red');
        return;
      case 'tool.denied':
        this.#note(`✗ ${event.call.name}: ${oneLine(event.reason ?? 'denied').slice(0, 300)}`, 'yellow');
        return;
      case 'context.compacting':
        this.#note('Compacting the conversation…');
        return;
      case 'shell.ended':
        return;
    }
  }

  end(): void {
    this.#markdown.end();
  }

  #note(text: string, color: 'dim' | 'red' | 'yellow' = 'dim'): void {
    this.end();
    print(paint(color, text));
  }
}

/** One owner of the keyboard at a time: a line editor, a question, or the running turn. */
class Keys {
  onKey: (key: Key) => void = () => undefined;
  #question: ((key: Key) => void) | null = null;
  #isListening = false;
  /** A line is being edited; everything else waits for it. */
  #line: Promise<unknown> = Promise.resolve();

  constructor() {
    emitKeypressEvents(process.stdin);
    process.stdin.on('keypress', (_: string, key: Key) => {
      if (!this.#isListening) return;
      if (this.#question) this.#question(key);
      if (!this.#question || key.name === 'escape' || key.ctrl) this.onKey(key);
    });
  }

  listen(): void {
    this.#isListening = true;
    process.stdin.setRawMode(true);
    process.stdin.resume();
  }

  rest(): void {
    this.#isListening = false;
    process.stdin.setRawMode(false);
    process.stdin.pause();
  }

  /** null: the operator left. */
  async prompt(): Promise<string | null> {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    return new Promise((resolve) => {
      lines.once('close', () => resolve(null));
      void lines.question('\n> ').then((text) => {
        resolve(text);
        lines.close();
      });
    });
  }

  async line(question: string, start = ''): Promise<string> {
    const wasListening = this.#isListening;
    if (wasListening) this.rest();
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    const asked = lines.question(question);
    if (start !== '') lines.write(start);
    this.#line = asked.catch(() => undefined);
    const text = await Promise.race([asked, new Promise<string>((resolve) => lines.once('close', () => resolve('')))]);
    lines.close();
    if (wasListening) this.listen();
    return text;
  }

  /** One of these keys, or undefined if the question is gone. */
  async choose(question: string, choices: string, isOpen: () => boolean = () => true): Promise<string | undefined> {
    await this.#line;
    process.stdout.write(question);
    return new Promise((resolve) => {
      const settle = (choice: string | undefined) => {
        clearInterval(watch);
        this.#question = null;
        process.stdout.write(`${choice ?? ''}\n`);
        resolve(choice);
      };
      const watch = setInterval(() => {
        if (!isOpen()) settle(undefined);
      }, 50);
      this.#question = ({ name = '' }) => {
        if (choices.includes(name) && name !== '') settle(name);
      };
    });
  }
}
