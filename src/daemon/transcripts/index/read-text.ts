import { closeSync } from 'node:fs';
import { isRecord, recordOf, textOf } from '../../../contract/values.ts';
import { addLine, emptyFacts, type Facts } from '../lines/facts.ts';
import { type Line, timeOf } from '../lines/line.ts';
import { type LinePiece, piecesOf } from '../lines/line-pieces.ts';
import { countProblem, PASSED_OVER, problemOf } from '../lines/line-problems.ts';
import { readLines } from '../lines/read-lines.ts';
import { toIndexText } from '../search/index-text.ts';
import { marksOf } from '../search/piece-marks.ts';
import { openTranscript } from '../usage/scan-usage.ts';
import { parseLine } from '../usage/usage.ts';

/** How much of one text is searchable: nobody looks for a word in the millionth line of an output. */
const MAX_TEXT = 1_000_000;
const MAX_MODEL = 100;
const MAX_BRANCH = 300;
const MAX_UNANSWERED = 64;
/** Its position in a row. */
const ORIGIN = 6;
/** How much of a file makes a part, so other work in the writing thread doesn't wait longer. */
const PART = 256 * 1024;
/** After this much there is a checkpoint. */
const BETWEEN_STOPS = 4 * 1024 * 1024;

/** A transcript whose text is to be continued. */
export interface TextJob {
  fileId: number;
  path: string;
  agentId: string | null;
  from: number;
  /** What was known about it there, as JSON. null: nothing, this is the start. */
  facts: string | null;
}

/** Where pieces come from: 1 if the client says the line was copied from another session. */
export type Origin = [model: string | null, branch: string | null, isForked: 0 | 1];

/**
 * A piece as written: its position in the file, its block, uuid, kind, tool, time, which of the part's origins, its length, and its
 * full-text content.
 */
export type PieceRow = [
  start: number,
  block: number,
  uuid: string | null,
  kind: LinePiece['kind'],
  tool: string | null,
  at: number | null,
  origin: number,
  length: number,
  text: string,
  marks: string,
];

/** Some lines of one transcript. */
export interface TextPart {
  fileId: number;
  from: number;
  to: number;
  pieces: PieceRow[];
  origins: Origin[];
  /** Prompts from earlier parts that a model answered in this one: where they start, and their origin now. */
  answered: [start: number, origin: number][];
  /** By kind of problem. */
  problems: Record<string, number>;
  /** Set where reading may stop and resume later: what is known about the file so far. */
  stop: TextStop | undefined;
  isLast: boolean;
}

export interface TextStop {
  facts: string;
  unknownTypes: Record<string, number>;
  /** Files read or changed since the last checkpoint. */
  touched: [path: string, edits: number, reads: number, added: number, removed: number][];
}

/** What is known about a file at a checkpoint. */
interface TextFacts extends Facts {
  /** Prompts no model has answered yet. */
  unanswered: { start: number; isAside: boolean; branch: string | null; isForked: 0 | 1 }[];
}

/** The parts are consecutive. */
export type ReadText = (jobs: Iterable<TextJob>) => AsyncGenerator<TextPart>;

/** Reads everything said in a transcript from a position: searchable text, and facts. */
export function* readText(job: TextJob): Generator<TextPart> {
  const facts: TextFacts = job.facts === null ? { ...emptyFacts(job.agentId), unanswered: [] } : JSON.parse(job.facts);
  const fd = openTranscript(job.path);
  // the next check of the files finds it gone
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
  return {
    fileId,
    from,
    to: from,
    pieces: [],
    origins: [],
    answered: [],
    problems: {},
    stop: undefined,
    isLast: false,
  };
}

/** True: there is more. */
function readPart(fd: number, part: TextPart, facts: TextFacts): boolean {
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
  facts: TextFacts,
  { bytes, position, nuls }: { bytes: Buffer; position: number; nuls: number },
): void {
  const line = parseLine(bytes, 0, bytes.length);
  countProblem(part.problems, problemOf({ bytes, nuls, isRead: line !== undefined }));
  if (!line) return;
  addPieces(part, facts, line, position);
  addLine(facts, line);
}

function addPieces(part: TextPart, facts: TextFacts, line: Line, position: number): void {
  const model = modelOf(line);
  const isAside = line.isSidechain === true;
  if (model !== null) answerPrompts(part, facts, { model, isAside });
  const found = piecesOf(line);
  if (found.length === 0) return;
  const { openCalls, unanswered } = facts;
  const branch = textOf(line.gitBranch).slice(0, MAX_BRANCH) || null;
  const isForked = isRecord(line.forkedFrom) ? 1 : 0;
  const origin = originOf(part, model, branch, isForked);
  const uuid = textOf(line.uuid) || null;
  const at = timeOf(line);
  for (const { block, kind, tool, toolUseId, text } of found) {
    const caller = toolUseId !== null && Object.hasOwn(openCalls, toolUseId) && openCalls[toolUseId];
    const name = tool ?? (caller ? caller.name : null);
    const words = toIndexText(text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);
    const marks = marksOf({ kind, at, fileId: part.fileId, tool: name });
    part.pieces.push([position, block, uuid, kind, name, at, origin, text.length, words, marks]);
    if (kind === 'prompt') unanswered.push({ start: position, isAside, branch, isForked });
  }
  if (unanswered.length > MAX_UNANSWERED) unanswered.shift();
}

/** The client's own text, such as after an error, comes from no model. */
function modelOf({ type, message }: Line): string | null {
  const model = type === 'assistant' ? textOf(recordOf(message).model).slice(0, MAX_MODEL) : '';
  return model === '' || model === '<synthetic>' ? null : model;
}

/** Older versions write their subagents' prompts and responses between the session's own lines. */
function answerPrompts(part: TextPart, facts: TextFacts, by: { model: string; isAside: boolean }): void {
  if (facts.unanswered.length === 0) return;
  for (const { start, isAside, branch, isForked } of facts.unanswered) {
    if (isAside !== by.isAside) continue;
    const origin = originOf(part, by.model, branch, isForked);
    const piece = start >= part.from ? part.pieces.findLast((one) => one[0] === start) : undefined;
    if (piece) piece[ORIGIN] = origin;
    else part.answered.push([start, origin]);
  }
  facts.unanswered = facts.unanswered.filter(({ isAside }) => isAside !== by.isAside);
}

/** A part has a few, usually the last one. */
function originOf({ origins }: TextPart, model: string | null, branch: string | null, isForked: 0 | 1): number {
  const known = origins.findLastIndex((one) => one[0] === model && one[1] === branch && one[2] === isForked);
  return known >= 0 ? known : origins.push([model, branch, isForked]) - 1;
}

function stopAt(facts: TextFacts, before: Facts['files']): TextStop {
  return {
    facts: JSON.stringify(facts),
    unknownTypes: facts.unknownLines,
    // one that was touched again is a new object; a long session has touched thousands
    touched: Object.entries(facts.files).flatMap(([path, file]) =>
      before[path] === file ? [] : [[path, file.edits, file.reads, file.added, file.removed]],
    ),
  };
}
