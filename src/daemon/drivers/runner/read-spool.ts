import { readFileSync } from 'node:fs';
import { parseJson } from '../../../contract/parse-json.ts';
import { RunnerEvent } from '../../../contract/runners.ts';

export interface SpoolContent {
  /** Those that the daemon doesn't have yet. */
  events: RunnerEvent[];
  /** Lines that can't be read, by number: a disk that was full or failing. The line a killed runner was writing isn't one of them. */
  broken: number[];
}

/** What a dead runner has left. One broken line doesn't cost the others. */
export function readSpool(path: string, { after }: { after: number }): SpoolContent {
  const content: SpoolContent = { events: [], broken: [] };
  const lines = read(path).split('\n');
  // the last line is empty, or was never finished
  for (const [index, line] of lines.slice(0, -1).entries()) {
    const { data: event } = RunnerEvent.safeParse(parseJson(line));
    if (!event) content.broken.push(index + 1);
    else if (event.seq > after) content.events.push(event);
  }
  return content;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
