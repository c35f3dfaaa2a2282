import { text } from 'node:stream/consumers';
import type { LoopEvent } from '../../agent/events.ts';
import type { TurnOutcome } from '../../agent/loop/run-turn.ts';
import { type NativeOptions, openNativeSession } from '../../runner/native/native-session.ts';
import { CliError, EXIT } from '../exit.ts';
import { complain, printLines, toSafeJson } from '../output.ts';

const INTERRUPTED = 130;

/** One prompt for a script: the answer (or every event) on stdout, the outcome as exit code. There is nobody to ask. */
export async function runOnce(prompt: string, options: NativeOptions, { json }: { json: boolean }): Promise<void> {
  const question = prompt || (process.stdin.isTTY ? '' : (await text(process.stdin)).trim());
  if (question === '') throw new CliError('Say what to do: gctl run --print "…"', EXIT.usage);
  const session = await openNativeSession(options, {
    emit: (event) => {
      if (json) printEvent(event);
    },
    nobodyThere: () => 'This session runs without an operator.',
  });
  for (const problem of session.problems) complain(problem);
  const interrupt = () => session.agent.interrupt();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const outcome = await session.agent.prompt(question);
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
