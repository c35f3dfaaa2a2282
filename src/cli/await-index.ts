import type { Client } from '../client/client.ts';
import type { IndexStatus } from '../contract/history.ts';
import { getIndexStatus } from '../contract/routes/history.ts';
import { CliError } from './exit.ts';

const POLL_MS = 250;
const WIDTH = 24;
const WORDS = { finding: 'Looking for transcripts', totals: 'Counting tokens', text: 'Indexing text', idle: '' };

/**
 * Waits until every transcript has been read, so the answer is complete. Totals (tokens and costs) are ready much earlier than the text.
 * Shows progress in a terminal.
 */
export async function awaitIndex(api: Client, what: 'everything' | 'totals' = 'everything'): Promise<void> {
  const isShown = process.stderr.isTTY === true;
  let hasDrawn = false;
  for (;;) {
    const status = await api.call(getIndexStatus);
    if (status.phase === 'idle' || (what === 'totals' && status.phase === 'text')) break;
    if (status.failure !== null) throw new CliError(describeIndexFailure(status.failure));
    if (isShown) process.stderr.write(`\r\x1b[K${drawProgress(status)}`);
    hasDrawn = isShown;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  if (hasDrawn) process.stderr.write('\r\x1b[K');
}

export function describeIndexFailure(failure: string): string {
  return `Can't index transcripts (${failure}). Ground Control retries every few seconds. Check that the disk isn't full and the data dir is writable. To see what's indexed so far, use --no-wait.`;
}

export function drawProgress({ phase, bytes, files }: Pick<IndexStatus, 'phase' | 'bytes' | 'files'>): string {
  if (phase === 'finding' || bytes.total === 0) return `${WORDS[phase]}…`;
  const share = Math.min(1, bytes.done / bytes.total);
  const full = Math.round(share * WIDTH);
  const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full);
  return `${WORDS[phase]} ${bar} ${Math.floor(share * 100)}%  ${files.done} of ${files.total} files`;
}
