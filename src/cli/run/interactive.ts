import type { Entry } from '../../agent/loop/conversation.ts';
import type { Link, TerminalOptions, TerminalSession } from '../../runner/native/terminal-session.ts';
import { complain, oneLine, paint } from '../output.ts';
import { AnswerAsks } from './answer-asks.ts';
import { runCommand } from './commands.ts';
import { MarkdownStream } from './markdown.ts';
import { Screen } from './screen.ts';
import { ShowEvents } from './show-events.ts';

const TICK_MS = 120;

type Faces = Pick<TerminalOptions, 'onEvent' | 'onLink' | 'onShutdown'>;

/** A conversation in a terminal. */
export async function runInteractive(first: string, open: (faces: Faces) => Promise<TerminalSession>): Promise<void> {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const typed: string[] = [];
  let link: Link = { kind: 'alone' };
  let isAskedToLeave = false;

  const screen = new Screen({
    onPrompt: (text) => void submit(text).catch((error: Error) => screen.print(paint('red', error.message))),
    onEscape: () => session.native.session.agent.interrupt(),
    onBackground: () => {
      const { agent, shells } = session.native.session;
      const running = shells.list().filter(({ state, isBackground }) => state === 'running' && !isBackground);
      // only this call: others may be waiting for the operator, or for this one
      for (const { callId } of running)
        if (callId !== null && agent.running.ids.includes(callId)) agent.running.background(callId);
    },
    onLeave: () => {
      if (!session.native.session.agent.isBusy || isAskedToLeave) return leave();
      isAskedToLeave = true;
      screen.print(paint('yellow', 'The agent is working. Press Ctrl-D again to end the session.'));
    },
  });
  const events = new ShowEvents({
    print: (...lines) => screen.print(...lines),
    now: Date.now,
    wasTyped: (text) => takeOne(typed, text),
  });

  const submit = async (text: string): Promise<void> => {
    if (text.trim() === '') return;
    if (text.startsWith('/')) {
      const command = text.trim();
      if ((await runCommand(command, session.native.session, (...lines) => screen.print(...lines))) === 'exit') leave();
      return;
    }
    session.retry();
    typed.push(text);
    await session.native.run(text);
  };

  const session = await open({
    onEvent: (event) => events.show(event),
    onLink: (now) => {
      if (now.kind === 'refused') screen.print(paint('yellow', `Not shown in Ground Control: ${now.why}`));
      link = now;
    },
    onShutdown: (why) => {
      screen.print(paint('yellow', `Ended from Ground Control: ${oneLine(why)}`));
      leave();
    },
  });
  const { agent, cwd, earlier, shells } = session.native.session;
  screen.print(
    ...lastWords(earlier),
    paint('dim', `${agent.model} in ${oneLine(cwd)}. /help for commands, Ctrl-D to quit.`),
  );
  const status = () => {
    const running = shells.list().filter(({ state, isBackground }) => state === 'running' && isBackground).length;
    const more = [
      ...(running > 0 ? [`${running} in the background`] : []),
      ...(link.kind === 'attached' ? ['on Ground Control'] : []),
    ];
    const width = Math.max(20, (process.stdout.columns ?? 80) - 1);
    screen.live = events.live(width, agent.stats, more);
  };
  screen.open();
  const ticking = setInterval(status, TICK_MS);
  const answering = new AnswerAsks(session.native.session, screen);
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.once(signal, () => leave());

  try {
    if (first !== '') void submit(first);
    await left;
  } finally {
    clearInterval(ticking);
    answering.stop();
    screen.live = [];
    screen.close();
    const unended = await session.close();
    if (unended.length > 0) complain(`Couldn't end these processes: ${unended.join(', ')}`);
  }
}

function takeOne(list: string[], text: string): boolean {
  const at = list.indexOf(text);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

/** Where a continued conversation was left: the last prompt and the last answer. */
function lastWords(entries: readonly Entry[]): string[] {
  const prompt = entries.findLast((entry) => entry.type === 'prompt')?.content.at(-1);
  const answer = entries.findLast((entry) => entry.type === 'block' && entry.block.type === 'text');
  const lines: string[] = [];
  if (prompt?.type === 'text') lines.push(paint('bold', `> ${oneLine(prompt.text).slice(0, 500)}`));
  if (answer?.type === 'block' && answer.block.type === 'text') {
    const markdown = new MarkdownStream((line) => lines.push(line));
    markdown.add(answer.block.text);
    markdown.end();
  }
  return lines.length > 0 ? [...lines, ''] : [];
}
