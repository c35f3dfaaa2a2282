import { appendFileSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import { FindResult, Message, MessagePage, SessionChanges } from '../../contract/messages.ts';
import { answer, call, line, prompt, result, say, turns, uuid } from '../transcripts/messages/transcript-for-test.ts';

const ID = '5bfafc47-174b-49fc-b233-428c241f0cc5';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SECRET = ['sk', 'ant', 'api03', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'].join('-');

let daemon: TestDaemon;
let viewer: string;
let projects: string;

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(projects, path)), { recursive: true });
  writeFileSync(join(projects, path), text);
};
function tryReadlink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

const image = (mediaType: string, data: string) => ({
  type: 'image',
  source: { type: 'base64', media_type: mediaType, data },
});

beforeAll(async () => {
  daemon = await startTestDaemon();
  projects = join(daemon.configDir, 'projects');
  write(
    `-work/${ID}.jsonl`,
    [
      turns(60),
      prompt('look', [
        say('look at <script>alert(1)</script> this'),
        image('image/png', PNG),
        image('image/svg+xml', PNG),
      ]),
      answer('a1', 'msg_a', say(`I use ${SECRET}, then edit.`)),
      answer('a2', 'msg_a', call('t1', 'Edit', { file_path: '/w/a.ts', old_string: 'one', new_string: 'two' })),
      result('r1', 't1', 'updated', {
        toolUseResult: {
          filePath: '/w/a.ts',
          structuredPatch: [{ oldStart: 7, newStart: 7, oldLines: 1, newLines: 1, lines: ['-one', '+two'] }],
        },
      }),
      answer('a3', 'msg_b', call('t2', 'Agent', { description: 'helper', prompt: 'go' })),
      result('r2', 't2', [say('launched')], { toolUseResult: { agentId: 'a00e279c' } }),
      answer('a4', 'msg_c', say('x'.repeat(50_000))),
    ].join(''),
  );
  write(
    `-work/${ID}/subagents/agent-a00e279c.jsonl`,
    [
      prompt('sub', 'subtask', { isSidechain: true, agentId: 'a00e279c' }),
      answer('s1', 'msg_s', call('t3', 'Agent', { prompt: 'deeper' }), { isSidechain: true }),
      result('s2', 't3', 'done', { isSidechain: true, toolUseResult: { agentId: 'b11' } }),
      prompt('shot', [image('image/png', PNG)], { isSidechain: true }),
    ].join(''),
  );
  write(`-work/${ID}/subagents/agent-b11.jsonl`, prompt('deep', 'deeper words', { isSidechain: true }));
  const body = { role: 'viewer', name: 'viewer' };
  const link = (await daemon.call('POST', '/api/links', { body })).json;
  const code = new URL(link.url).searchParams.get('code');
  viewer = (await daemon.call('POST', '/api/pair', { token: false, body: { code } })).json.token;
});
afterAll(() => daemon.dispose());

const get = (path: string, token?: string) => daemon.call('GET', `/api/sessions/${path}`, token ? { token } : {});
async function page(query = ''): Promise<MessagePage> {
  const { status, json } = await get(`${ID}/messages?${query}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return MessagePage.parse(json);
}

describe('messages', () => {
  it('are paged from the end, even for a session without hooks', async () => {
    const last = await page('limit=3');
    expect(last.messages.map(({ id }) => id)).toEqual([uuid('a1'), uuid('a3'), uuid('a4')]);
    expect(last).toMatchObject({ hasEarlier: true, hasLater: false, focusId: null });
    const earlier = await page(`limit=2&before=${last.start}`);
    expect(earlier.messages.map(({ id }) => id)).toEqual([uuid('answer 59'), uuid('look')]);
    expect((await page('from=start&limit=1')).messages[0]).toMatchObject({
      role: 'user',
      parts: [{ kind: 'text', text: 'prompt 0' }],
    });
  });

  it('carry calls with their results, diffs, subagents, tokens and cost', async () => {
    const [edit, agent] = (await page('limit=3')).messages;
    expect(edit).toMatchObject({
      role: 'assistant',
      model: 'claude-opus-4-5',
      tokens: { inputTokens: 10, outputTokens: 5 },
      costUsd: expect.closeTo((10 * 5 + 5 * 25) / 1e6, 9),
      parts: [
        { kind: 'text' },
        {
          kind: 'tool',
          name: 'Edit',
          result: { text: 'updated', isError: false },
          diff: {
            path: '/w/a.ts',
            added: 1,
            removed: 1,
            hunks: [
              {
                lines: [
                  { kind: 'removed', oldLine: 7, newLine: null, text: 'one' },
                  { kind: 'added', oldLine: null, newLine: 7, text: 'two' },
                ],
              },
            ],
          },
        },
      ],
    });
    expect(agent?.parts).toMatchObject([{ kind: 'tool', name: 'Agent', agentId: 'a00e279c' }]);
  });

  it('of subagents are read by their ids, nested ones too', async () => {
    const { messages } = await page('agentId=a00e279c');
    expect(messages.map(({ id }) => id)).toEqual([uuid('sub'), uuid('s1'), uuid('shot')]);
    expect(messages[1]?.parts).toMatchObject([{ agentId: 'b11' }]);
    expect((await page('agentId=b11')).messages).toHaveLength(1);
    expect(await get(`${ID}/messages?agentId=none`)).toMatchObject({ status: 404 });
  });

  it('are complete one by one, truncated in pages', async () => {
    const cut = (await page('limit=1')).messages[0];
    expect(cut?.parts[0]).toMatchObject({ kind: 'text', clipped: true });
    const whole = Message.parse((await get(`${ID}/messages/${uuid('a4')}`)).json);
    expect(whole.parts[0]).toMatchObject({ clipped: false, text: 'x'.repeat(50_000) });
    expect((await get(`${ID}/messages/${uuid('r1')}`)).json.id).toBe(uuid('a1'));
    expect((await get(`${ID}/messages/${uuid('s1')}?agentId=a00e279c`)).status).toBe(200);
    expect((await get(`${ID}/messages/unheard-of`)).json.error.code).toBe('message.unknown');
  });

  it('are found around a tool call, and at a time', async () => {
    expect((await page('around=toolu_30&limit=5')).focusId).toBe(uuid('call 30'));
    expect((await page('around=t1&limit=5')).focusId).toBe(uuid('a1'));
    const everything = Date.parse('2026-11-15T21:52:05.409Z');
    expect((await page(`at=${everything}&limit=5`)).focusId).toBe(uuid('a4'));
  });

  it('are found by text, prompt and error, one after the other', async () => {
    const find = async (query: string) => FindResult.parse((await get(`${ID}/find?${query}`)).json);
    expect(await find('q=ECHO+30')).toEqual({ messageId: uuid('call 30'), parts: [0], index: 1, total: 1 });
    const last = await find('what=prompt');
    expect(last).toMatchObject({ messageId: uuid('look'), index: 61, total: 61 });
    expect(await find(`what=prompt&direction=previous&from=${uuid('look')}`)).toMatchObject({
      messageId: uuid('prompt 59'),
      index: 60,
    });
    expect(await find(`what=prompt&direction=next&from=${uuid('look')}`)).toMatchObject({
      messageId: uuid('prompt 0'),
      index: 1,
    });
    expect(await find('what=error')).toEqual({ messageId: null, parts: [], index: 0, total: 0 });
    expect(await find('q=deeper&agentId=b11')).toMatchObject({ messageId: uuid('deep'), total: 1 });
  });

  it('add up to what a session changed, with the calls that may have changed more', async () => {
    const { files, unseen } = SessionChanges.parse((await get(`${ID}/changes`)).json);
    expect(files).toMatchObject([
      {
        path: '/w/a.ts',
        added: 1,
        removed: 1,
        isNew: false,
        changes: [{ messageId: uuid('a1'), toolUseId: 't1', agentId: null, tool: 'Edit' }],
      },
    ]);
    expect(files[0]!.changes[0]!.hunks[0]!.lines[0]).toEqual({
      kind: 'removed',
      oldLine: 7,
      newLine: null,
      text: 'one',
    });
    expect(unseen.total).toBe(60);
    expect(unseen.calls[59]).toMatchObject({ tool: 'Bash', summary: 'echo 59', messageId: uuid('call 59') });
  });

  it('are found around one of their lines', async () => {
    const found = await page(`around=${uuid('result 30')}&limit=5`);
    expect(found.focusId).toBe(uuid('call 30'));
    expect(found).toMatchObject({ hasEarlier: true, hasLater: true });
  });

  it('adds new messages after the previous end', async () => {
    const { end } = await page();
    expect((await page(`after=${end}`)).messages).toEqual([]);
    const path = join(projects, `-work/${ID}.jsonl`);
    const added = prompt('and then');
    appendFileSync(path, added.slice(0, 30));
    expect(await page(`after=${end}`)).toMatchObject({ messages: [], end });
    appendFileSync(path, added.slice(30));
    const news = await page(`after=${end}`);
    expect(news.messages.map(({ id }) => id)).toEqual([uuid('and then')]);
    expect((await page(`after=${news.end}`)).messages).toEqual([]);
  });

  it('refuse invalid cursors', async () => {
    expect((await get(`${ID}/messages?after=x`)).json.error.code).toBe('messages.bad_cursor');
    expect((await get(`${ID}/messages?after=5`)).json.error.code).toBe('messages.stale_cursor');
    expect((await get(`${ID}/messages?limit=0`)).status).toBe(400);
  });
});

describe('a subagent that no call refers to', () => {
  const LOST = '10571057-174b-49fc-b233-428c241f0cc5';
  const sub = (agentId: string, second: number, ...lines: string[]) =>
    [
      prompt(`${agentId} begins`, `words of ${agentId}, ${SECRET}`, {
        isSidechain: true,
        agentId,
        sessionId: LOST,
        timestamp: `2026-11-15T21:52:${second}.000Z`,
      }),
      ...lines,
    ].join('');

  beforeAll(() => {
    const folder = `-lost/${LOST}/subagents`;
    write(
      `-lost/${LOST}.jsonl`,
      prompt('delegate') +
        answer('d1', 'msg_d1', call('t1', 'Task', { prompt: 'go' })) +
        answer('d2', 'msg_d2', call('t9', 'Agent', { prompt: 'flow' })),
    );
    // no result, no meta
    write(
      `${folder}/agent-zparent.jsonl`,
      sub(
        'zparent',
        10,
        answer('z1', 'msg_z', call('t2', 'Agent', { prompt: 'x' }), { isSidechain: true }),
        result('z2', 't2', 'done', { isSidechain: true, toolUseResult: { agentId: 'achild' } }),
      ),
    );
    write(`${folder}/agent-achild.jsonl`, sub('achild', 11));
    write(`${folder}/workflows/w1/agent-deep.jsonl`, sub('deep', 12));
    write(`${folder}/workflows/w1/journal.jsonl`, '{"type":"started"}\n');
    write(`${folder}/workflows/w1/agent-named.jsonl`, sub('named', 13));
    write(`${folder}/workflows/w1/agent-named.meta.json`, '{"toolUseId":"t9"}');
    write('-lost/agent-older.jsonl', sub('older', 14));
    write('-lost/agent-foreign.jsonl', prompt('not ours', 'not ours', { isSidechain: true, sessionId: 'another' }));
    symlinkSync(join(projects, '-lost', 'agent-foreign.jsonl'), join(projects, folder, 'agent-linked.jsonl'));
  });

  const ALL = ['named', 'zparent', 'achild', 'deep', 'older'];

  it('is still in every export format once, with secrets masked', async () => {
    const { json } = await get(`${LOST}/export?format=json`);
    expect(Object.keys(json.subagents)).toEqual(ALL);
    expect(json.messages[1].parts).toMatchObject([{ name: 'Task', agentId: null }]);
    for (const format of ['json', 'md', 'html']) {
      const { text } = await get(`${LOST}/export?format=${format}`);
      for (const id of ALL) expect(text.split(`words of ${id}, [masked]`), `${id} in ${format}`).toHaveLength(2);
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain('not ours');
      if (format !== 'json') expect(text.split('<details')).toHaveLength(text.split('</details>').length);
    }
    const { text } = await get(`${LOST}/export?secrets=shown`);
    expect(text).toContain(`words of deep, ${SECRET}`);
    // one that another subagent started is inside that one
    expect(text.indexOf('words of achild')).toBeGreaterThan(text.indexOf('words of zparent'));
    expect(text.split('## Other subagents')).toHaveLength(2);
  });

  it('is read by its id, and listed once the index has it', async () => {
    for (const id of ALL) {
      const { json } = await get(`${LOST}/messages?agentId=${id}`);
      expect(json.messages[0].parts, id).toMatchObject([{ kind: 'text', text: `words of ${id}, ${SECRET}` }]);
    }
    const listed = async () =>
      ((await daemon.call('GET', `/api/history/${LOST}`)).json.subAgentList ?? []).map(({ id }: { id: string }) => id);
    await expect.poll(listed, { timeout: 60_000 }).toEqual(['zparent', 'achild', 'deep', 'named', 'older']);
    expect(Object.keys((await get(`${LOST}/export?format=json`)).json.subagents)).toEqual(ALL);
  });
});

describe('a transcript', () => {
  it.each(['unknown', '..', '../../x', '%2e%2e%2fx', 'a%00b', 'a%2fb'])(
    'that is missing or invalid: %s',
    async (id) => {
      expect((await get(`${encodeURIComponent(decodeURIComponent(id))}/messages`)).status).toBe(404);
    },
  );

  it('is not read outside of the projects, whatever a hook claims', async () => {
    const id = 'c0ffee00-174b-49fc-b233-428c241f0cc5';
    const outside = join(daemon.folder, `${id}.jsonl`);
    writeFileSync(outside, prompt('stolen'));
    const claim = (transcript_path: string) =>
      daemon.hook({ session_id: id, hook_event_name: 'UserPromptSubmit', cwd: '/w', transcript_path, prompt: 'x' });
    const linked = join(projects, '-work', `${id}.jsonl`);
    for (const path of [outside, join(projects, '..', '..', `${id}.jsonl`)]) {
      await claim(path);
      expect((await get(`${id}/messages`)).json.error.code).toBe('transcript.unknown');
    }
    symlinkSync(outside, linked);
    await claim(linked);
    expect((await get(`${id}/messages`)).json.error.code).toBe('transcript.unknown');
    await claim(join(projects, '-work', `${ID}.jsonl`));
    expect((await get(`${id}/messages`)).json.error.code).toBe('transcript.unknown');
    expect((await get(`${ID}/messages?agentId=..%2f..%2f${ID}`)).status).toBe(404);
  });

  it('needs a credential', async () => {
    for (const path of ['messages', 'messages/x', 'images/0.0', 'export'])
      expect((await daemon.call('GET', `/api/sessions/${ID}/${path}`, { token: false })).status).toBe(401);
    expect((await get(`${ID}/messages`, viewer)).status).toBe(200);
  });
});

describe('an image', () => {
  it('is served with its own type only', async () => {
    const { messages } = await page(`around=${uuid('look')}&limit=4`);
    const parts = messages.find(({ id }) => id === uuid('look'))?.parts ?? [];
    const [png, svg] = parts.flatMap((part) => (part.kind === 'image' ? [part.image] : []));
    const answered = await get(`${ID}/images/${png!.imageId}`);
    expect(answered).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'content-length': String(Buffer.from(PNG, 'base64').length),
      },
    });
    // a drawing that may hold scripts is none
    expect((await get(`${ID}/images/${svg!.imageId}`)).status).toBe(404);
    for (const id of ['0.0', '1.0', '99999999.0', 'x', '0.0...'])
      expect((await get(`${ID}/images/${id}`)).status).toBe(404);
  });

  it('of a subagent has its own id', async () => {
    const [, , shot] = (await page('agentId=a00e279c')).messages;
    const [part] = shot!.parts;
    expect(part?.kind).toBe('image');
    expect((await get(`${ID}/images/${(part as { image: { imageId: string } }).image.imageId}`)).status).toBe(200);
  });
});

describe('an export', () => {
  it('is Markdown with secrets masked', async () => {
    const { text, headers } = await get(`${ID}/export`);
    expect(headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'content-disposition': `attachment; filename="session-${ID}.md"`,
      'x-content-type-options': 'nosniff',
    });
    expect(text).not.toContain(SECRET);
    expect(text).toContain('I use [masked], then edit.');
    expect(text).toContain('```diff\n/w/a.ts\n@@\n-one\n+two\n```');
    expect(text).toContain('deeper words');
    expect(text).toContain('&lt;script>alert(1)&lt;/script>');
    expect(text).toContain('x'.repeat(50_000));
    // the title repeats the first one once the index has it
    expect(new Set(text.match(/prompt \d+/g)).size).toBe(60);
    expect(text.split('<details>')).toHaveLength(text.split('</details>').length);
  });

  it('is a single HTML file that runs and fetches nothing', async () => {
    const { text, headers } = await get(`${ID}/export?format=html`);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain('sandbox');
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain(`src="data:image/png;base64,${PNG}"`);
    expect(text).toContain('deeper words');
    expect(text).not.toMatch(/(?:src|href)="(?!data:image\/png)/);
    expect(text.split('<article')).toHaveLength(text.split('</article>').length);
  });

  it('is JSON with the messages and those of subagents', async () => {
    const { json } = await get(`${ID}/export?format=json`);
    expect(json).toMatchObject({ sessionId: ID, secrets: 'masked' });
    for (const message of json.messages) Message.parse(message);
    expect(json.messages.length).toBeGreaterThan(180);
    expect(Object.keys(json.subagents)).toEqual(['a00e279c', 'b11']);
    expect(JSON.stringify(json)).not.toContain(SECRET);
  });

  it('shows secrets to operators on request', async () => {
    expect((await get(`${ID}/export?secrets=shown`)).text).toContain(SECRET);
    expect((await get(`${ID}/export?secrets=shown`, viewer)).json.error.code).toBe('export.viewer');
    expect((await get(`${ID}/export`, viewer)).status).toBe(200);
  });

  it('leaves no file open if it is abandoned halfway', async () => {
    const id = 'feedface-174b-49fc-b233-428c241f0cc5';
    write(`-long/${id}.jsonl`, turns(30_000));
    const gone = new AbortController();
    const headers = { authorization: `Bearer ${daemon.localToken}` };
    const { body } = await fetch(`${daemon.url}/api/sessions/${id}/export`, { headers, signal: gone.signal });
    await body?.getReader().read();
    const isOpen = () => readdirSync('/proc/self/fd').some((fd) => tryReadlink(`/proc/self/fd/${fd}`)?.includes(id));
    expect(isOpen()).toBe(true);
    gone.abort();
    await expect.poll(isOpen, { timeout: 10_000 }).toBe(false);
    expect((await get(`${id}/messages?limit=1`)).status).toBe(200);
  });

  it('of an unknown session or format is an error, not a file', async () => {
    const answered = await get('unknown/export');
    expect(answered).toMatchObject({ status: 404, json: { error: { code: 'transcript.unknown' } } });
    expect((await get(`${ID}/export?format=pdf`)).status).toBe(400);
  });
});

it('ignores a line of unknown type', async () => {
  const id = 'deadbeef-174b-49fc-b233-428c241f0cc5';
  write(`-other/${id}.jsonl`, `${line('novelty', 'n', {})}{"type":"user"\n${prompt('one')}`);
  expect((await get(`${id}/messages`)).json.messages).toHaveLength(1);
});
