import { isUtf8 } from 'node:buffer';
import { closeSync } from 'node:fs';
import type { Sqlite, Statement } from '../journal/sqlite.ts';
import { addLine, emptyFacts, type Facts } from './facts.ts';
import type { FileRow, FileRows } from './file-rows.ts';
import { textOf, timeOf } from './line.ts';
import { type LinePiece, piecesOf } from './line-pieces.ts';
import { readLines } from './read-lines.ts';
import { openTranscript } from './scan-usage.ts';
import { parseLine } from './usage.ts';

/** Of one text so much is searched: nobody looks for a word in the millionth line of an output. */
const MAX_TEXT = 1_000_000;

export interface TextReading {
  /** Reads on until the end or until it is enough, which is asked now and then. */
  read(isEnough: () => boolean): { bytes: number; isDone: boolean };
  save(): void;
}

/** Reads all that is said in transcripts: into the full text, and into the facts of each. */
export class TextPass {
  readonly #rows: FileRows;
  readonly #insertPiece: Statement;
  readonly #insertText: Statement;
  readonly #facts: Statement;
  readonly #setFacts: Statement;
  readonly #touch: Statement;
  #lastPiece: number;

  constructor({ db, rows }: { db: Sqlite; rows: FileRows }) {
    this.#rows = rows;
    this.#insertPiece = db.prepare(
      'INSERT INTO pieces (id, file_id, start, block, uuid, kind, tool, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#insertText = db.prepare('INSERT INTO text (rowid, body) VALUES (?, ?)');
    this.#facts = db.prepare('SELECT facts FROM files WHERE id = ?');
    this.#setFacts = db.prepare('UPDATE files SET facts = ? WHERE id = ?');
    this.#touch = db.prepare(
      'INSERT OR REPLACE INTO touched (file_id, session_id, path, edits, reads, added, removed) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#lastPiece = (db.prepare('SELECT MAX(id) AS id FROM pieces').get() as { id: number | null }).id ?? 0;
  }

  /** Begins, or goes on, with a file. All in one transaction: what was read and the place up to which it was read. */
  open(row: FileRow): TextReading {
    const facts = this.#factsOf(row);
    const before = { ...facts.files };
    return {
      read: (isEnough) => this.#read(row, facts, isEnough),
      save: () => this.#save(row, facts, before),
    };
  }

  #read(row: FileRow, facts: Facts, isEnough: () => boolean): { bytes: number; isDone: boolean } {
    const from = row.textOffset;
    const fd = openTranscript(row.path);
    // the next look at the files finds it gone
    if (fd === undefined) return { bytes: 0, isDone: true };
    try {
      let isCut = false;
      row.textOffset = readLines({
        fd,
        from,
        onLine: (bytes, start, end, position) => this.#take(row, facts, bytes, start, end, position),
        onTooLong: () => note(row, 'longer than 64 MB'),
        isEnough: (position) => {
          isCut = position > from && isEnough();
          return isCut;
        },
      });
      return { bytes: row.textOffset - from, isDone: !isCut };
    } finally {
      closeSync(fd);
    }
  }

  #factsOf({ id, agentId }: FileRow): Facts {
    const { facts } = this.#facts.get(id) as { facts: string | null };
    return facts === null ? emptyFacts(agentId) : JSON.parse(facts);
  }

  #take(row: FileRow, facts: Facts, bytes: Buffer, start: number, end: number, position: number): void {
    const line = parseLine(bytes, start, end);
    if (!isUtf8(bytes.subarray(start, end))) note(row, 'not UTF-8');
    if (!line) {
      note(row, bytes.subarray(start, end).includes(0) ? 'NUL bytes' : 'not JSON');
      return;
    }
    const pieces = piecesOf(line);
    if (pieces.length > 0) this.#add(row, facts, pieces, { uuid: textOf(line.uuid), at: timeOf(line), position });
    addLine(facts, line);
  }

  #add(
    { id: fileId }: FileRow,
    facts: Facts,
    pieces: LinePiece[],
    line: { uuid: string; at: number | null; position: number },
  ): void {
    for (const { block, kind, tool, toolUseId, text } of pieces) {
      const id = ++this.#lastPiece;
      const caller = toolUseId !== null && Object.hasOwn(facts.openCalls, toolUseId) && facts.openCalls[toolUseId];
      const name = tool ?? (caller ? caller.name : null);
      this.#insertPiece.run(id, fileId, line.position, block, line.uuid || null, kind, name, line.at);
      this.#insertText.run(id, text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);
    }
  }

  #save(row: FileRow, facts: Facts, before: Facts['files']): void {
    row.problems.unknownTypes = facts.unknownLines;
    this.#rows.save(row);
    this.#setFacts.run(JSON.stringify(facts), row.id);
    for (const [path, file] of Object.entries(facts.files)) {
      // one that was touched again is another object; a long session has touched thousands
      if (before[path] === file) continue;
      this.#touch.run(row.id, row.sessionId, path, file.edits, file.reads, file.added, file.removed);
    }
  }
}

function note({ problems }: FileRow, problem: string): void {
  problems.lines[problem] = (problems.lines[problem] ?? 0) + 1;
}
