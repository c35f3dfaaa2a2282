import type { ExportFormat, ExportQuery, Message } from '../../../contract/messages.ts';
import { maskSecrets } from '../../masking/mask-secrets.ts';
import { openConversation, type Wanted } from '../messages/conversation.ts';
import { NoAgentTranscript } from '../messages/errors.ts';
import type { ReaderContext } from '../threads/queries.ts';
import { maskMessage } from './mask-message.ts';
import { writeJson } from './write-json.ts';
import { writeMarkdown } from './write-markdown.ts';
import type { Conversation, Writer } from './writer.ts';

/** Only pages need a Markdown reader, and a thread that starts shouldn't load it. */
const WRITERS: Record<ExportFormat, () => Writer | Promise<Writer>> = {
  md: () => writeMarkdown,
  html: async () => (await import('./write-html.ts')).writeHtml,
  json: () => writeJson,
};
/** Each chunk crosses a thread. */
const CHUNK = 64 * 1024;
/** Deeper than agents start agents. */
const MAX_DEPTH = 20;

export interface ExportArgs extends Omit<Wanted, 'agentId'>, ExportQuery {
  title: string | null;
  project: string | null;
  at: number;
}

/** A whole session with its subagents, as text generated while it is read. */
export async function* exportSession(context: ReaderContext, args: ExportArgs): AsyncGenerator<string> {
  const { format, secrets, sessionId, at } = args;
  const isMasked = secrets === 'masked';
  const clean = isMasked ? maskSecrets : (text: string) => text;
  const seen = new Set<string>();
  const converse = (agentId: string | undefined, depth: number): Conversation & { agentIds: () => string[] } => {
    const { messages, image, agentIds } = openConversation(context, { ...args, agentId });
    return {
      agentIds,
      messages: isMasked ? maskAll(messages) : messages,
      image,
      agent: (id) => {
        if (seen.has(id) || depth >= MAX_DEPTH) return undefined;
        seen.add(id);
        return tryTo(() => converse(id, depth + 1));
      },
    };
  };
  const conversation = converse(undefined, 0);
  const { title, project } = factsOf(context, args);
  const head = { sessionId, title: clean(title), project: project && clean(project), exportedAt: at, isMasked };
  const write = await WRITERS[format]();
  yield* inChunks(write(head, conversation, othersOf(conversation)));
}

/** Subagents no call led to: the call hasn't returned, or was never written. Looked up after everything else. */
function* othersOf({
  agentIds,
  agent,
}: Conversation & { agentIds: () => string[] }): Generator<[string, Conversation]> {
  for (const id of agentIds()) {
    const other = agent(id);
    if (other) yield [id, other];
  }
}

/** Its title on the board, or in the index. */
function factsOf({ db }: ReaderContext, { sessionId, title, project }: ExportArgs) {
  const known = db.prepare('SELECT title, cwd FROM sessions WHERE id = ?').get(sessionId) as
    | { title: string; cwd: string | null }
    | undefined;
  return { title: title ?? known?.title ?? `Session ${sessionId}`, project: project ?? known?.cwd ?? null };
}

function* maskAll(messages: Iterable<Message>): Generator<Message> {
  for (const message of messages) yield maskMessage(message);
}

/** A subagent whose transcript is gone is left out. */
function tryTo<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof NoAgentTranscript) return undefined;
    throw error;
  }
}

function* inChunks(pieces: Iterable<string>): Generator<string> {
  let held = '';
  for (const piece of pieces) {
    held += piece;
    if (held.length < CHUNK) continue;
    yield held;
    held = '';
  }
  if (held) yield held;
}
