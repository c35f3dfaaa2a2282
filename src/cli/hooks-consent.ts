import { createInterface } from 'node:readline/promises';
import type { Client } from '../client/client.ts';
import type { HooksPreview, HooksStatus } from '../contract/hooks.ts';
import { getHooks, installHooks, previewHooks, removeHooks } from '../contract/routes/hooks.ts';
import { paint, print, printLines } from './output.ts';

export interface SettleOptions {
  /** From the command line; undefined: ask, if it was never answered. */
  answer: boolean | undefined;
  /** Cancels the question if the daemon is stopped meanwhile. */
  signal?: AbortSignal;
}

/** Asks once whether we may register in Claude's settings, if there is a terminal to ask in. */
export async function settleHooks(api: Client, { answer, signal }: SettleOptions): Promise<void> {
  if (answer !== undefined) return say(await remember(api, answer));
  const status = await api.call(getHooks);
  if (status.consent !== 'unasked' || status.state === 'invalid') return say(status);
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    return print(
      'Hooks: not installed, and no terminal to ask in. Install them from the page, or with gctl hooks install',
    );
  }
  const said = await ask(await api.call(previewHooks), signal);
  if (said !== undefined) return say(await remember(api, said));
  if (signal?.aborted) return;
  print();
  print('Hooks: not installed. Ground Control will ask again at the next start.');
}

function remember(api: Client, answer: boolean): Promise<HooksStatus> {
  return api.call(answer ? installHooks : removeHooks);
}

/** undefined: no answer. */
async function ask({ path, diff }: HooksPreview, signal?: AbortSignal): Promise<boolean | undefined> {
  printLines(`\nTo see your sessions, Ground Control adds hooks to ${path}:\n`);
  printLines(paintDiff(diff));
  print('It removes them when it stops and adds them again when it starts.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // readline swallows Ctrl-C while it asks: pass it on, so the daemon stops
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const over = new AbortController();
  terminal.on('close', () => over.abort());
  signal?.addEventListener('abort', () => over.abort());
  try {
    for (;;) {
      const said = (await terminal.question('Install hooks? [Y/n] ', { signal: over.signal })).trim();
      if (/^(y(es)?)?$/i.test(said)) return true;
      if (/^no?$/i.test(said)) return false;
    }
  } catch (error) {
    if (!over.signal.aborted) throw error;
    return undefined;
  } finally {
    terminal.close();
  }
}

export function paintDiff(diff: string): string {
  const paintLine = (line: string) =>
    line.startsWith('+') ? paint('green', line) : line.startsWith('-') ? paint('red', line) : paint('dim', line);
  return diff.split('\n').map(paintLine).join('\n');
}

export function say({ consent, state, detail, fix, warning }: HooksStatus): void {
  const isRefused = consent === 'no' && state === 'missing';
  const told = isRefused ? "Not installed, by your choice, so Ground Control can't see your sessions." : detail;
  print(`Hooks: ${told}${fix ? ` ${fix}` : ''}`);
  if (warning) print(`       ${paint('yellow', warning)}`);
}
