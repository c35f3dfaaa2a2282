import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AgentError } from '../../agent/errors.ts';
import type { LoopEvent } from '../../agent/events.ts';
import type { Entry } from '../../agent/loop/conversation.ts';
import { MAIN_ACTOR } from '../../contract/agent-events.ts';
import { NATIVE_FOLDERS } from '../../contract/data-files.ts';
import { ConversationFile, type Header, readConversation, type Stored } from './conversation-file.ts';
import { lockSession } from './session-lock.ts';
import { TranscriptFile, type TranscriptPlace } from './transcript-file.ts';

interface Place {
  dataDir: string;
  version: string;
}

export type StoreStart =
  | { how: 'new'; sessionId: string; cwd: string }
  | { how: 'resume'; sessionId: string }
  | { how: 'fork'; from: string; sessionId: string; atMessage?: string | undefined };

/** The files of one native session: its conversation, to continue from, and its transcript, to read. */
export class NativeStore {
  readonly sessionId: string;
  readonly cwd: string;
  /** The conversation so far. */
  readonly entries: Entry[];
  readonly #file: ConversationFile;
  readonly #transcript: TranscriptFile;
  readonly #place: TranscriptPlace;
  readonly #subagents = new Map<string, TranscriptFile>();
  readonly #lock: { release(): void };

  private constructor({ version, dataDir }: Place, file: ConversationFile, lock: { release(): void }) {
    const { sessionId, cwd } = file.header;
    this.#file = file;
    this.#lock = lock;
    this.sessionId = sessionId;
    this.cwd = cwd;
    this.entries = file.before.flatMap((line) => ('entry' in line ? [line.entry] : []));
    this.#place = { root: join(dataDir, NATIVE_FOLDERS.transcripts), sessionId, cwd, branch: branchOf(cwd), version };
    this.#transcript = new TranscriptFile(this.#place);
  }

  static open(place: Place, start: StoreStart): NativeStore {
    const lock = lockSession(pathOf(place.dataDir, start.sessionId, '.lock'), start.sessionId);
    try {
      if (start.how === 'resume') return NativeStore.#resume(place, start.sessionId, lock);
      return start.how === 'new' ? NativeStore.#create(place, start, lock) : NativeStore.#fork(place, start, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  static #create(place: Place, { sessionId, cwd }: { sessionId: string; cwd: string }, lock: { release(): void }) {
    const header: Header = { version: 1, sessionId, cwd, createdAt: Date.now() };
    return new NativeStore(place, ConversationFile.create(pathOf(place.dataDir, sessionId), header), lock);
  }

  static #resume(place: Place, sessionId: string, lock: { release(): void }): NativeStore {
    const path = pathOf(place.dataDir, sessionId);
    if (!existsSync(path)) throw new NoConversation(sessionId);
    const store = new NativeStore(place, ConversationFile.open(path), lock);
    store.#transcript.continueAfter(store.#file.before);
    return store;
  }

  static #fork(place: Place, { from, sessionId, atMessage }: StoreStart & { how: 'fork' }, lock: { release(): void }) {
    const path = pathOf(place.dataDir, from);
    if (!existsSync(path)) throw new NoConversation(from);
    const original = readConversation(path);
    const lines = atMessage === undefined ? original.lines : upTo(original.lines, atMessage);
    const header: Header = { ...original.header, sessionId, createdAt: Date.now(), forkedFrom: from };
    const store = new NativeStore(
      place,
      ConversationFile.create(pathOf(place.dataDir, sessionId), header, lines),
      lock,
    );
    store.#transcript.copy(lines, from);
    return store;
  }

  get transcriptPath(): string {
    return this.#transcript.path;
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** Stores everything that must outlive the process. On disk when this returns. */
  take(event: LoopEvent): void {
    const at = Date.now();
    if (event.type === 'entry') this.#add(event.actor.id, { at, uuid: randomUUID(), entry: event.entry });
    else if (event.type === 'usage') {
      const { requestId = randomUUID(), model, tokens, actor } = event;
      this.#add(actor.id, { at, used: { requestId, model, tokens } });
    }
  }

  close(): void {
    this.#file.close();
    this.#lock.release();
  }

  #add(actorId: string, line: Stored): void {
    if (actorId === MAIN_ACTOR) this.#file.append(line);
    this.#transcriptOf(actorId).add(line);
  }

  #transcriptOf(agentId: string): TranscriptFile {
    const known = agentId === MAIN_ACTOR ? this.#transcript : this.#subagents.get(agentId);
    if (known) return known;
    const made = new TranscriptFile({ ...this.#place, agentId });
    this.#subagents.set(agentId, made);
    return made;
  }
}

export class NoConversation extends AgentError {
  constructor(sessionId: string) {
    super('session.unknown', `The built-in agent has no conversation ${sessionId} to continue.`);
  }
}

/** The newest conversation of a folder. */
export function newestIn(dataDir: string, cwd: string): string | undefined {
  return listConversations(dataDir).find((one) => one.cwd === cwd)?.sessionId;
}

/** The conversation whose id starts with this prefix. */
export function findConversation(dataDir: string, id: string): string {
  const found = listConversations(dataDir).filter(({ sessionId }) => sessionId.startsWith(id));
  if (found.length === 1) return found[0]!.sessionId;
  if (found.length === 0) throw new NoConversation(id);
  throw new AgentError('session.ambiguous', `${found.length} conversations match ${id}. Enter more of the id.`);
}

/** Newest first. */
function listConversations(dataDir: string): { sessionId: string; cwd: string }[] {
  const folder = join(dataDir, NATIVE_FOLDERS.conversations);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({ path: join(folder, name), changed: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.changed - a.changed)
    .flatMap(({ path }) => readHeader(path) ?? []);
}

const LONGEST_HEADER = 16_384;

/** Undefined: its process was killed before it wrote the first line, or the file is damaged. The others can still be continued. */
function readHeader(path: string): Header | undefined {
  const fd = openSync(path, 'r');
  try {
    const start = Buffer.alloc(LONGEST_HEADER);
    const [first = '', rest] = start.toString('utf8', 0, readSync(fd, start)).split('\n', 2);
    return rest === undefined ? undefined : (JSON.parse(first) as Header);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  } finally {
    closeSync(fd);
  }
}

function pathOf(dataDir: string, sessionId: string, end = '.jsonl'): string {
  if (!/^[\w-]{1,100}$/.test(sessionId)) throw new NoConversation(sessionId);
  return join(dataDir, NATIVE_FOLDERS.conversations, `${sessionId}${end}`);
}

/** Includes the results of the message's calls. Without them the calls would count as interrupted. */
function upTo(lines: readonly Stored[], uuid: string): Stored[] {
  const at = lines.findIndex((line) => 'entry' in line && line.uuid === uuid);
  if (at < 0) throw new AgentError('message.unknown', `The session has no message ${uuid}.`);
  const next = lines.findIndex(
    (line, index) => index > at && 'entry' in line && (line.entry.type === 'prompt' || line.entry.type === 'block'),
  );
  return lines.slice(0, next < 0 ? lines.length : next);
}

/** The current branch, read from git's files: a session must not wait for a subprocess. */
function branchOf(cwd: string): string | null {
  try {
    for (let folder = cwd; ; folder = resolve(folder, '..')) {
      const git = join(folder, '.git');
      const kind = statSync(git, { throwIfNoEntry: false });
      if (!kind && resolve(folder, '..') === folder) return null;
      if (!kind) continue;
      const real = kind.isFile()
        ? resolve(
            folder,
            readFileSync(git, 'utf8')
              .replace(/^gitdir: /, '')
              .trim(),
          )
        : git;
      return /^ref: refs\/heads\/(.+)$/m.exec(readFileSync(join(real, 'HEAD'), 'utf8'))?.[1] ?? null;
    }
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return null;
    throw error;
  }
}
