import { text } from 'node:stream/consumers';
import type { LoopEvent } from '../../agent/events.ts';
import type { TurnOutcome } from '../../agent/loop/run-turn.ts';
import type { TerminalOptions, TerminalSession } from '../../runner/native/terminal-session.ts';
import { CliError, EXIT } from '../exit.ts';
import { complain, printLines, toSafeJson } from '../output.ts';

const INTERRUPTED = 130;

type Faces = Pick<TerminalOptions, 'onEvent' | 'onLink' | 'onShutdown' | 'nobodyThere'>;

/** One prompt for a script: the answer (or every event) on stdout, the outcome as exit code. Questions need a daemon, since there is no terminal to ask in. */
export async function runOnce(
  prompt: string,
  open: (faces: Faces) => Promise<TerminalSession>,
  { json }: { json: boolean },
): Promise<void> {
  const question = prompt || (process.stdin.isTTY ? '' : (await text(process.stdin)).trim());
  if (question === '') throw new CliError('Enter a prompt: gctl run --print "…"', EXIT.usage);
  const interrupt = () => session.native.session.agent.interrupt();
  const session = await open({
    onEvent: (event) => {
      if (json) printEvent(event);
      else if (event.type === 'notice') complain(event.message ?? '');
    },
    onLink: (link) => {
      if (link.kind === 'refused') complain(`not shown in Ground Control: ${link.why}`);
    },
    onShutdown: interrupt,
    nobodyThere: () => 'This session runs without an operator.',
  });
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt).once('SIGHUP', interrupt);
  try {
    // connect first, so even its first question appears where someone can see it
    await session.settled;
    const outcome = await session.native.run(question);
    if (!json && outcome.kind === 'completed') printLines(outcome.text);
    if (!json && outcome.kind === 'failed') complain(outcome.error);
    process.exitCode = exitCodeOf(outcome);
  } finally {
    const left = await session.close();
    if (left.length > 0) complain(`Couldn't end these processes: ${left.join(', ')}`);
  }
}

function exitCodeOf({ kind }: TurnOutcome): number {
  if (kind === 'completed') return EXIT.ok;
  return kind === 'interrupted' ? INTERRUPTED : EXIT.failed;
}

function printEvent(event: LoopEvent): void {
  process.stdout.write(`${toSafeJson(event)}\n`);
}
