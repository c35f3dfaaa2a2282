import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { DomainError } from '../errors.ts';

interface Line {
  uuid?: string;
  parentUuid?: string | null;
  type?: string;
}

/** The message before a prompt, from the transcript. The client resumes after that one. null: the prompt is the first message. */
export async function messageBefore(path: string, messageId: string): Promise<string | null> {
  const lines = new Map<string, Line>();
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const line = parse(text);
    if (line?.uuid) lines.set(line.uuid, line);
  }
  const prompt = lines.get(messageId);
  if (!prompt) throw new DomainError('session.unknown_message', 404, `This session has no message ${messageId}.`);
  // the client's own notes sit between messages and can't be resumed from
  for (let id = prompt.parentUuid; id; id = lines.get(id)?.parentUuid) {
    const { type } = lines.get(id) ?? {};
    if (type === 'assistant' || type === 'user') return id;
  }
  return null;
}

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch (error) {
    // the client may still be writing it
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
