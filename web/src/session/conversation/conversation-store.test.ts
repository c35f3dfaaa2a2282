import { describe, expect, it } from 'vitest';
import type { Message, MessagePage, MessagesQuery } from '../../../../src/contract/messages.ts';
import { ApiError } from '../../api/request.ts';
import { createConversation } from './conversation-store.ts';

const say = (id: number, text = `text ${id}`): Message => ({
  id: String(id),
  replyId: null,
  role: 'assistant',
  at: id,
  model: null,
  isMeta: false,
  parts: [{ kind: 'text', text, clipped: false }],
  tokens: null,
  costUsd: null,
});

/** A transcript that can grow while it is read. Cursors are indexes. */
function aTranscript(count: number) {
  const lines = Array.from({ length: count }, (_, index) => say(index));
  const queries: object[] = [];
  let failure: ApiError | null = null;
  const again: Message[] = [];
  return {
    lines,
    queries,
    again,
    failWith(error: ApiError | null) {
      failure = error;
    },
    async fetchPage(query: Partial<MessagesQuery> & { limit: number }) {
      queries.push(query);
      if (failure) throw failure;
      const { limit } = query;
      let [from, to] = [Math.max(0, lines.length - limit), lines.length];
      if (query.from === 'start') [from, to] = [0, limit];
      if (query.before !== undefined) [from, to] = [Math.max(0, Number(query.before) - limit), Number(query.before)];
      if (query.after !== undefined) [from, to] = [Number(query.after), Number(query.after) + limit];
      if (query.around !== undefined) [from, to] = [Number(query.around) - limit / 2, Number(query.around) + limit / 2];
      to = Math.min(to, lines.length);
      const page: MessagePage = {
        messages: [...again.splice(0), ...lines.slice(from, to)],
        start: String(from),
        end: String(to),
        hasEarlier: from > 0,
        hasLater: to < lines.length,
        focusId: query.around ?? null,
        bytes: 0,
      };
      return page;
    },
  };
}

const ids = (messages: readonly Message[]) => messages.map(({ id }) => Number(id));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('a conversation', () => {
  it('opens at its end and grows upwards to its start', async () => {
    const transcript = aTranscript(25);
    const conversation = createConversation({ ...transcript, limit: 10 });
    await conversation.open('end');
    expect(ids(conversation.view().messages)).toEqual(range(15, 25));
    await conversation.loadEarlier();
    await conversation.loadEarlier();
    expect(ids(conversation.view().messages)).toEqual(range(0, 25));
    expect(conversation.view()).toMatchObject({ hasEarlier: false, growth: 'earlier' });
    await conversation.loadEarlier();
    expect(transcript.queries).toHaveLength(3);
  });

  it('does not fetch the same page twice at once', async () => {
    const transcript = aTranscript(50);
    const conversation = createConversation({ ...transcript, limit: 10 });
    await conversation.open('end');
    await Promise.all([conversation.loadEarlier(), conversation.loadEarlier(), conversation.loadLater()]);
    expect(ids(conversation.view().messages)).toEqual(range(30, 50));
  });

  it('follows new messages, and rerenders only what changed', async () => {
    const transcript = aTranscript(3);
    const conversation = createConversation({ ...transcript, limit: 10 });
    await conversation.open('end');
    const [first, second] = conversation.view().messages;
    transcript.lines.push(say(3), say(4));
    transcript.again.push(say(1, 'its result has come'));
    await conversation.follow();
    const { messages, growth } = conversation.view();
    expect(ids(messages)).toEqual([0, 1, 2, 3, 4]);
    expect(messages[0]).toBe(first);
    expect(messages[1]).not.toBe(second);
    expect(messages[1]?.parts).toEqual([{ kind: 'text', text: 'its result has come', clipped: false }]);
    expect(growth).toBe('followed');
  });

  it('catches up over several pages', async () => {
    const transcript = aTranscript(1);
    const conversation = createConversation({ ...transcript, limit: 10 });
    await conversation.open('end');
    for (const id of range(1, 36)) transcript.lines.push(say(id));
    await conversation.follow();
    expect(ids(conversation.view().messages)).toEqual(range(0, 36));
  });

  it('keeps no more than it shows in a view that never scrolls back, and treats nothing earlier as new', async () => {
    const transcript = aTranscript(10);
    const conversation = createConversation({ ...transcript, limit: 10, keep: 10 });
    await conversation.open('end');
    for (const id of range(10, 36)) transcript.lines.push(say(id));
    await conversation.follow();
    expect(ids(conversation.view().messages)).toEqual(range(26, 36));
    transcript.again.push(say(3, 'its result has come'));
    transcript.lines.push(say(36));
    await conversation.follow();
    expect(ids(conversation.view().messages)).toEqual(range(27, 37));
  });

  it('leaves a window alone that does not reach to the end', async () => {
    const transcript = aTranscript(50);
    const conversation = createConversation({ ...transcript, limit: 10 });
    await conversation.open('start');
    await conversation.follow();
    expect(ids(conversation.view().messages)).toEqual(range(0, 10));
    await conversation.loadLater();
    expect(ids(conversation.view().messages)).toEqual(range(0, 20));
    expect(conversation.view().growth).toBe('later');
  });

  it('jumps to a message, and grows from there on both sides', async () => {
    const conversation = createConversation({ ...aTranscript(100), limit: 10 });
    await conversation.open({ around: '40' });
    expect(conversation.view()).toMatchObject({ focusId: '40', hasEarlier: true, hasLater: true });
    await conversation.loadEarlier();
    await conversation.loadLater();
    expect(ids(conversation.view().messages)).toEqual(range(25, 55));
  });

  it('takes the last of two jumps, whichever response arrives first', async () => {
    const transcript = aTranscript(100);
    let release!: () => void;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const conversation = createConversation({
      limit: 10,
      async fetchPage(query) {
        if (query.from === 'start') await slow;
        return transcript.fetchPage(query);
      },
    });
    const first = conversation.open('start');
    await conversation.open('end');
    release();
    await first;
    expect(ids(conversation.view().messages)).toEqual(range(90, 100));
  });

  it('reports why it cannot be opened, and opens once it exists', async () => {
    const transcript = aTranscript(1);
    const conversation = createConversation({ ...transcript, limit: 10 });
    transcript.failWith(new ApiError({ code: 'transcript.unknown', status: 404, message: 'No transcript' }));
    await conversation.open('end');
    expect(conversation.view()).toMatchObject({ phase: 'failed', error: 'No transcript' });
    transcript.failWith(null);
    await conversation.follow();
    expect(conversation.view()).toMatchObject({ phase: 'ready', error: null });
  });

  it('keeps what it has when loading more fails, and starts over when the file was rewritten', async () => {
    const transcript = aTranscript(30);
    const conversation = createConversation({ ...transcript, limit: 10 });
    await conversation.open('end');
    transcript.failWith(new ApiError({ code: 'unreachable', status: 0, message: 'No answer' }));
    await conversation.loadEarlier();
    expect(conversation.view()).toMatchObject({ phase: 'ready', edgeError: 'No answer', loading: null });
    expect(conversation.view().messages).toHaveLength(10);
    transcript.failWith(null);
    await conversation.loadEarlier();
    expect(conversation.view().edgeError).toBeNull();

    transcript.failWith(new ApiError({ code: 'messages.stale_cursor', status: 409, message: 'Rewritten' }));
    const followed = conversation.follow();
    transcript.failWith(null);
    transcript.lines.splice(2);
    await followed;
    await expect.poll(() => ids(conversation.view().messages)).toEqual([0, 1]);
  });
});
