import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { quickTool, startNativeAgent } from '../../../test/kit/native-agent.ts';
import { callTool, say, together } from '../../../test/kit/scripted-answer.ts';
import { validateConversation } from '../../../test/kit/validate-conversation.ts';
import { Conversation } from '../../agent/loop/conversation.ts';
import { NATIVE_FOLDERS } from '../../contract/data-files.ts';
import { findConversation, NativeStore, newestIn, type StoreStart } from './native-store.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gc-native-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const open = (start: StoreStart) => NativeStore.open({ dataDir, version: '1.2.3' }, start);
const startNew = (sessionId: string, cwd = '/work/app') => open({ how: 'new', sessionId, cwd });
const conversationPath = (id: string) => join(dataDir, NATIVE_FOLDERS.conversations, `${id}.jsonl`);
const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** A conversation with text, parallel calls and results, stored as it happens. */
async function converse(store: NativeStore, prompts = ['go']) {
  const native = await startNativeAgent(
    [
      together(say('Looking.'), callTool('Quick', { key: 'a' }), callTool('Quick', { key: 'b' })),
      callTool('Quick', { key: 'c' }),
      say('All done.'),
    ],
    { tools: [quickTool('Quick')], entries: store.entries, onEvent: (event) => store.take(event) },
  );
  for (const prompt of prompts) await native.agent.prompt(prompt);
  await native.close();
  return native;
}

describe('stored conversation', () => {
  it('can be continued from any byte at which its process was killed', async () => {
    const store = startNew('one');
    await converse(store);
    store.close();
    const whole = readFileSync(conversationPath('one'));
    const headerEnd = whole.indexOf('\n') + 1;
    for (let bytes = headerEnd; bytes <= whole.length; bytes += 7) {
      writeFileSync(conversationPath('one'), whole.subarray(0, bytes));
      const again = open({ how: 'resume', sessionId: 'one' });
      const conversation = new Conversation(again.entries);
      for (const entry of conversation.repairs()) conversation.apply(entry);
      conversation.apply({ type: 'prompt', content: [{ type: 'text', text: 'Continue' }] });
      expect([bytes, validateConversation({ model: 'm', messages: conversation.messages() as never })]).toEqual([
        bytes,
        [],
      ]);
      again.close();
    }
  });

  it('continues with everything that was said, and the API accepts it', async () => {
    const first = startNew('one');
    await converse(first);
    first.close();
    const again = open({ how: 'resume', sessionId: 'one' });
    const native = await converse(again, ['and now?']);
    const sent = JSON.stringify(native.api.requests[0]?.body.messages);
    expect(sent).toContain('All done.');
    expect(sent).toContain('and now?');
    again.close();
  });

  it('refuses to be opened twice, and opens again after its owner was killed', async () => {
    const store = startNew('one');
    expect(() => open({ how: 'resume', sessionId: 'one' })).toThrow('open in another process');
    store.close();
    const owner = spawn('sleep', ['300'], { stdio: 'ignore' });
    const lock = join(dataDir, NATIVE_FOLDERS.conversations, 'one.lock');
    const stat = readFileSync(`/proc/${owner.pid}/stat`, 'utf8');
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    writeFileSync(lock, JSON.stringify({ pid: owner.pid, start }));
    expect(() => open({ how: 'resume', sessionId: 'one' })).toThrow(`pid ${owner.pid}`);
    // the same pid, but a different process
    writeFileSync(lock, JSON.stringify({ pid: owner.pid, start: '1' }));
    open({ how: 'resume', sessionId: 'one' }).close();
    owner.kill('SIGKILL');
  });

  it('names the line that is damaged', async () => {
    const store = startNew('one');
    await converse(store);
    store.close();
    const lines = readFileSync(conversationPath('one'), 'utf8').split('\n');
    lines[3] = 'garbage';
    writeFileSync(conversationPath('one'), lines.join('\n'));
    expect(() => open({ how: 'resume', sessionId: 'one' })).toThrow(/^Line 4 of .*one\.jsonl can't be read/);
  });

  it('forks at a message with the results of its calls, and leaves the original alone', async () => {
    const store = startNew('one');
    await converse(store);
    store.close();
    const before = readFileSync(conversationPath('one'), 'utf8');
    const [, firstReply] = linesOf(store.transcriptPath);
    const fork = open({ how: 'fork', from: 'one', sessionId: 'two', atMessage: firstReply.uuid });
    const { messages } = { messages: new Conversation(fork.entries).messages() };
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(messages)).toContain('b done');
    await converse(fork, ['another way']);
    fork.close();
    expect(readFileSync(conversationPath('one'), 'utf8')).toBe(before);
    const copied = linesOf(fork.transcriptPath).filter(({ forkedFrom }) => forkedFrom);
    expect(copied.map(({ forkedFrom }) => forkedFrom.sessionId)).toEqual(['one', 'one', 'one', 'one']);
    expect(() => open({ how: 'fork', from: 'one', sessionId: 'x', atMessage: 'nope' })).toThrow('no message nope');
  });

  it('finds the newest conversation of a folder, and one by the beginning of its id', () => {
    startNew('aaa-1', '/work/a').close();
    startNew('aab-2', '/work/b').close();
    expect(newestIn(dataDir, '/work/a')).toBe('aaa-1');
    expect(newestIn(dataDir, '/work/c')).toBeUndefined();
    expect(findConversation(dataDir, 'aab')).toBe('aab-2');
    expect(() => findConversation(dataDir, 'aa')).toThrow('2 conversations');
    expect(() => findConversation(dataDir, 'zz')).toThrow('no conversation zz');
    expect(() => open({ how: 'resume', sessionId: '../../etc/passwd' })).toThrow('no conversation');
  });
});

describe('transcript', () => {
  it('has each message once, in order, with what it used, however often its process was killed', async () => {
    const store = startNew('one');
    await converse(store);
    store.close();
    const whole = readFileSync(store.transcriptPath, 'utf8');
    const lines = linesOf(store.transcriptPath);
    expect(lines.map(({ type, message }) => [type, message.content[0]?.type ?? 'text'])).toEqual([
      ['user', 'text'],
      ['assistant', 'text'],
      ['user', 'tool_result'],
      ['user', 'tool_result'],
      ['assistant', 'tool_use'],
      ['user', 'tool_result'],
      ['assistant', 'text'],
    ]);
    expect(lines[1].message.usage).toMatchObject({ input_tokens: expect.any(Number) });
    expect(lines.every(({ sessionId, cwd }) => sessionId === 'one' && cwd === '/work/app')).toBe(true);
    // the conversation is stored first, so a kill can leave the transcript behind
    for (const bytes of [0, 100, Math.floor(whole.length / 2), whole.length - 3]) {
      truncateSync(store.transcriptPath, bytes);
      open({ how: 'resume', sessionId: 'one' }).close();
      expect(readFileSync(store.transcriptPath, 'utf8')).toBe(whole);
    }
    appendFileSync(store.transcriptPath, '{"half');
    open({ how: 'resume', sessionId: 'one' }).close();
    expect(readFileSync(store.transcriptPath, 'utf8')).toBe(whole);
  });
});
