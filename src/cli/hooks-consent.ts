import { createInterface } from 'node:readline/promises';
import { HooksPreview, HooksStatus } from '../contract/hooks.ts';
import type { Api } from './api.ts';
import { paint, print } from './output.ts';

/** The person decides once whether we may register in Claude's settings; without a terminal nobody is asked. */
export async function settleHooks(api: Api, { answer }: { answer: boolean | undefined }): Promise<void> {
  const status = await api.get('/api/hooks', HooksStatus);
  if (answer === false) return say(await api.post('/api/hooks/remove', HooksStatus));
  if (answer === true) return say(await api.post('/api/hooks/install', HooksStatus));
  if (status.consent !== 'unasked' || status.state === 'invalid') return say(status);
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    return print('Hooks: not registered, and nobody to ask. The page offers it, or: gctl hooks install');
  }
  const isYes = await ask(await api.get('/api/hooks/preview', HooksPreview));
  return say(await api.post(isYes ? '/api/hooks/install' : '/api/hooks/remove', HooksStatus));
}

async function ask({ path, diff }: HooksPreview): Promise<boolean> {
  print(`\nTo see your sessions, Ground Control registers hooks in ${path}, and removes them when it stops:\n`);
  print(paintDiff(diff));
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // the terminal swallows Ctrl-C while it asks: pass it on, so that the daemon stops
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    const said = await terminal.question('Register them? [Y/n] ');
    return !/^n/i.test(said.trim());
  } finally {
    terminal.close();
  }
}

export function paintDiff(diff: string): string {
  const paintLine = (line: string) =>
    line.startsWith('+') ? paint('green', line) : line.startsWith('-') ? paint('red', line) : paint('dim', line);
  return diff.split('\n').map(paintLine).join('\n');
}

export function say({ detail, fix }: HooksStatus): void {
  print(`Hooks: ${detail}${fix ? ` ${fix}` : ''}`);
}
