import { closeSync } from 'node:fs';
import { addLine, emptyFacts, type Facts } from './facts.ts';
import { type Line, textOf, timeOf } from './line.ts';
import { type LinePiece, piecesOf } from './line-pieces.ts';
import { countProblem, PASSED_OVER, problemOf } from './line-problems.ts';
import { readLines } from './read-lines.ts';
import { openTranscript } from './scan-usage.ts';
import { parseLine } from './usage.ts';

/** Of one text so much is searched: nobody looks for a word in the millionth line of an output. */
const MAX_TEXT = 1_000_000;
/** So much of a file is a part: others in the thread that writes it wait no longer for their turn. */
const PART = 256 * 1024;
/** After so much there is a place to stop at. */
const BETWEEN_STOPS = 4 * 1024 * 1024;

/** A transcript whose text is to be read on. */
export interface TextJob {
  fileId: number;
  path: string;
  agentId: string | null;
  from: number;
  /** What was known of it there, as JSON. Null: nothing, it begins. */
  facts: string | null;
}

/** A piece as it is written: its place in the file, its block, uuid, kind, tool, time, and its words. */
export type PieceRow = [
  start: number,
  block: number,
  uuid: string | null,
  kind: LinePiece['kind'],
  tool: string | null,
  at: number | null,
  text: string,
];

/** Some lines of one transcript. */
export interface TextPart {
  fileId: number;
  from: number;
  to: number;
  pieces: PieceRow[];
  /** By what is wrong with the lines. */
  problems: Record<string, number>;
  /** Set where reading may stop, and begin again later: what is known of the file up to here. */
  stop: TextStop | undefined;
  isLast: boolean;
}

export interface TextStop {
  facts: string;
  unknownTypes: Record<string, number>;
  /** Files that were read or changed since the last stop. */
  touched: [path: string, edits: number, reads: number, added: number, removed: number][];
}

/** The parts come one after the other, each beginning where the one before ended. */
export type ReadText = (jobs: Iterable<TextJob>) => AsyncGenerator<TextPart>;

/** Reads all that is said in a transcript from a place on: what can be searched, and the facts. */
export function* readText(job: TextJob): Generator<TextPart> {
  const facts = job.facts === null ? emptyFacts(job.agentId) : (JSON.parse(job.facts) as Facts);
  const fd = openTranscript(job.path);
  // the next look at the files finds it gone
  if (fd === undefined) {
    yield { ...emptyPart(job.fileId, job.from), stop: stopAt(facts, facts.files), isLast: true };
    return;
  }
  try {
    let before = { ...facts.files };
    let stopped = job.from;
    for (let from = job.from, isLast = false; !isLast; ) {
      const part = emptyPart(job.fileId, from);
      isLast = !readPart(fd, part, facts);
      if (isLast || part.to - stopped >= BETWEEN_STOPS) {
        part.stop = stopAt(facts, before);
        before = { ...facts.files };
        stopped = part.to;
      }
      from = part.to;
      yield { ...part, isLast };
    }
  } finally {
    closeSync(fd);
  }
}

function emptyPart(fileId: number, from: number): TextPart {
  return { fileId, from, to: from, pieces: [], problems: {}, stop: undefined, isLast: false };
}

/** True: there is more. */
function readPart(fd: number, part: TextPart, facts: Facts): boolean {
  let isCut = false;
  part.to = readLines({
    fd,
    from: part.from,
    onLine: (bytes, start, end, position, nuls) =>
      takeLine(part, facts, { bytes: bytes.subarray(start, end), position, nuls }),
    onNuls: () => countProblem(part.problems, PASSED_OVER.onlyNuls),
    onTooLong: () => countProblem(part.problems, PASSED_OVER.tooLong),
    isEnough: (position) => {
      isCut = position - part.from >= PART;
      return isCut;
    },
  });
  return isCut;
}

function takeLine(
  part: TextPart,
  facts: Facts,
  { bytes, position, nuls }: { bytes: Buffer; position: number; nuls: number },
): void {
  const line = parseLine(bytes, 0, bytes.length);
  countProblem(part.problems, problemOf({ bytes, nuls, isRead: line !== undefined }));
  if (!line) return;
  addPieces(part, facts, line, position);
  addLine(facts, line);
}

function addPieces({ pieces }: TextPart, { openCalls }: Facts, line: Line, position: number): void {
  const found = piecesOf(line);
  if (found.length === 0) return;
  const uuid = textOf(line.uuid) || null;
  const at = timeOf(line);
  for (const { block, kind, tool, toolUseId, text } of found) {
    const caller = toolUseId !== null && Object.hasOwn(openCalls, toolUseId) && openCalls[toolUseId];
    const name = tool ?? (caller ? caller.name : null);
    pieces.push([position, block, uuid, kind, name, at, text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text]);
  }
}

function stopAt(facts: Facts, before: Facts['files']): TextStop {
  return {
    facts: JSON.stringify(facts),
    unknownTypes: facts.unknownLines,
    // one that was touched again is another object; a long session has touched thousands
    touched: Object.entries(facts.files).flatMap(([path, file]) =>
      before[path] === file ? [] : [[path, file.edits, file.reads, file.added, file.removed]],
    ),
  };
}
