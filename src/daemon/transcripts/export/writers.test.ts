import { describe, expect, it } from 'vitest';
import type { Message, MessagePart } from '../../../contract/messages.ts';
import { maskMessage } from './mask-message.ts';
import { writeHtml } from './write-html.ts';
import { writeJson } from './write-json.ts';
import { fenced, safeMarkdown, writeMarkdown } from './write-markdown.ts';
import type { Conversation } from './writer.ts';

const EVIL = '</details></pre></style></title><script>alert(1)</script><img src=x onerror=alert(1)> "\'&';
const head = { sessionId: 'abc', title: EVIL, project: EVIL, exportedAt: 0, isMasked: true };

function message(...parts: MessagePart[]): Message {
  return {
    id: EVIL,
    replyId: null,
    role: 'assistant',
    at: 0,
    model: EVIL,
    isMeta: false,
    parts,
    tokens: null,
    costUsd: null,
  };
}

const tool = (fields: object = {}): MessagePart => ({
  kind: 'tool',
  toolUseId: 't',
  name: EVIL,
  input: { command: EVIL, [EVIL]: EVIL },
  clipped: false,
  result: { text: EVIL, clipped: false, isError: true, images: [{ imageId: EVIL, mediaType: EVIL, bytes: 1 }], at: 0 },
  diff: null,
  agentId: null,
  ...fields,
});
const text = (words: string): MessagePart => ({ kind: 'text', text: words, clipped: false });

const diff = {
  path: EVIL,
  added: 1,
  removed: 0,
  clipped: false,
  hunks: [{ lines: [{ kind: 'added' as const, oldLine: null, newLine: 1, text: EVIL }] }],
};
const everything = () => [
  message(
    text(EVIL),
    text(`# ${EVIL}\n**${EVIL}**\n\`${EVIL}\`\n\`\`\`${EVIL}\n${EVIL}`),
    { kind: 'thinking', text: EVIL, clipped: false },
    { kind: 'notice', notice: EVIL, text: EVIL, clipped: false },
    { kind: 'notice', notice: EVIL, text: `${EVIL}\n${EVIL}`, clipped: false },
    { kind: 'image', image: { imageId: EVIL, mediaType: EVIL, bytes: 1 } },
    tool(),
    tool({ diff }),
    tool({ agentId: 'sub' }),
  ),
];
const conversation = (messages: Iterable<Message>, agents: Record<string, Conversation> = {}): Conversation => ({
  messages,
  image: () => undefined,
  agent: (id) => agents[id],
});
const others = (): [string, Conversation][] => [[EVIL, conversation(everything())]];
const all = (pieces: Iterable<string>) => [...pieces].join('');

describe('HTML', () => {
  it('contains only our own tags, whatever agents wrote', () => {
    const html = all(writeHtml(head, conversation(everything(), { sub: conversation(everything()) }), others()));
    const tags = new Set(Array.from(html.matchAll(/<\/?([a-z!][a-z0-9]*)/gi), ([, name]) => name));
    for (const name of ['script', 'img', 'a', 'iframe', 'svg', 'link', 'base']) expect(tags).not.toContain(name);
    expect(html).not.toMatch(/<[^>]*\son\w+=/i);
    expect(html.split('<details')).toHaveLength(html.split('</details>').length);
    expect(html.split('<pre')).toHaveLength(html.split('</pre>').length);
    expect(html).toContain("default-src 'none'");
  });

  it('has both themes and nothing from elsewhere', () => {
    const html = all(writeHtml(head, conversation([message(text('hello'))]), []));
    expect(html).toContain('prefers-color-scheme:dark');
    expect(html).not.toMatch(/url\(|@import|https?:/);
  });

  it('shows only allowed image types', () => {
    const image = { imageId: '1.0', mediaType: 'image/png', bytes: 3 };
    const html = all(
      writeHtml(
        head,
        {
          ...conversation([message({ kind: 'image', image })]),
          image: () => ({ mediaType: 'image/png', bytes: Buffer.from('abc') }),
        },
        [],
      ),
    );
    expect(html).toContain('<img alt="" src="data:image/png;base64,YWJj">');
  });
});

describe('Markdown', () => {
  it('fences quoted text so nothing in it escapes', () => {
    expect(fenced('a\n```\n# out', 'text')).toBe('````text\na\n```\n# out\n````');
    expect(fenced('`'.repeat(9), 'text').startsWith('`'.repeat(10))).toBe(true);
  });

  it('keeps HTML out of messages, and closes open fences', () => {
    expect(safeMarkdown('a <b>x</b> `<i>` </details> 1 < 2')).toBe('a &lt;b>x&lt;/b> `<i>` &lt;/details> 1 < 2');
    expect(safeMarkdown('```js\n<b>\n')).toBe('```js\n<b>\n\n```');
    expect(safeMarkdown('```\ncode\n```\n<b>')).toBe('```\ncode\n```\n&lt;b>');
    expect(safeMarkdown('~~~~\n```\n~~~\n<b>')).toBe('~~~~\n```\n~~~\n<b>\n~~~~');
    expect(safeMarkdown('a ` <b> no end')).toBe('a ` &lt;b> no end');
  });

  it.each([
    ['a backtick that counts as itself', '\\`<img src=x>`'],
    ['code that began in the line before', 'a ` b\n` <img src=x> `'],
    ['a fence that is none', '``` `\n<img src=x>'],
    ['another line feed', '``` `\r<img src=x>'],
  ])('does not treat a tag as code because of %s', (_, hostile) => {
    expect(safeMarkdown(hostile)).not.toContain('<img');
  });

  it('keeps a fence out of a list, which would close it', () => {
    expect(safeMarkdown('- a\n  ```\n<b>\n  ```')).toBe('- a\n```\n<b>\n  ```');
  });

  it('opens no fence with a title or notice that looks like one', () => {
    const hook = message({ kind: 'notice', notice: 'hook', text: '``` <img src=x>', clipped: false });
    const markdown = all(writeMarkdown({ ...head, title: '~~~ <b>' }, conversation([hook]), []));
    expect(markdown).toContain('# ~~~ &lt;b>\n');
    expect(markdown).toContain('> *hook:* ``` &lt;img src=x>\n');
    expect(markdown).not.toMatch(/^(?:```|~~~)/m);
  });

  it('balances folds, whatever agents wrote', () => {
    const markdown = all(
      writeMarkdown(head, conversation(everything(), { sub: conversation(everything()) }), others()),
    );
    const outside = markdown.replace(/^(`{3,})[^`\n]*\n[\s\S]*?\n\1$/gm, '').replace(/`[^`\n]*`/g, '');
    expect(outside.split('<details>')).toHaveLength(outside.split('</details>').length);
    expect(outside).not.toContain('<script');
    expect(outside).not.toContain('<img');
  });

  it('reads like a conversation', () => {
    const messages: Message[] = [
      { ...message(text('Fix it')), role: 'user', model: null, at: Date.UTC(2026, 0, 2, 3, 4, 5) },
      { ...message(text('Done.')), model: 'claude-opus-4-5', at: null },
      { ...message(text('And tested.')), model: 'claude-opus-4-5', at: null },
    ];
    const plain = { ...head, title: 'Fix the bug', project: '/w' };
    expect(all(writeMarkdown(plain, conversation(messages), []))).toBe(
      [
        '# Fix the bug',
        'Session `abc` · `/w` · exported 1970-01-01 00:00:00 UTC · secrets masked',
        '## You <sub>2026-01-02 03:04:05</sub>',
        'Fix it',
        '## Claude <sub>claude-opus-4-5</sub>',
        'Done.',
        'And tested.',
        '',
      ]
        .join('\n\n')
        .slice(0, -2)
        .concat('\n\n'),
    );
  });
});

describe('JSON', () => {
  it('is valid, with each subagent next to the messages', () => {
    const nested = conversation([message(text('deep'))]);
    const sub = conversation([message(tool({ agentId: 'inner' }))], { inner: nested });
    const written = JSON.parse(all(writeJson(head, conversation(everything(), { sub }), [])));
    expect(written.messages).toEqual(everything());
    expect(Object.keys(written.subagents)).toEqual(['sub', 'inner']);
    expect(JSON.parse(all(writeJson(head, conversation([]), [])))).toMatchObject({ messages: [], subagents: {} });
  });
});

describe('subagents that no call refers to', () => {
  it.each([
    ['Markdown', writeMarkdown, '## Other subagents\n\n'],
    ['HTML', writeHtml, '<h2>Other subagents</h2>\n'],
  ])('come last in %s, under one heading, and only if there are any', (_, write, heading) => {
    const main = conversation([message(text('spoken first'))]);
    const lost: [string, Conversation][] = [
      ['a1', conversation([message(text('first'))])],
      ['a2', conversation([message(text('second'))])],
    ];
    const written = all(write(head, main, lost));
    expect(written.split(heading)).toHaveLength(2);
    const places = ['spoken first', heading, '<code>a1</code>', 'first', '<code>a2</code>', 'second'].map((words) =>
      written.lastIndexOf(words),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(all(write(head, main, []))).not.toContain('Other subagents');
  });

  it('come last in JSON, after all others and their subagents', () => {
    const taken: string[] = [];
    const sub = conversation(
      (function* () {
        taken.push('sub');
        yield message(text('sub'));
      })(),
    );
    const lost = conversation([message(tool({ agentId: 'child' }))], { child: conversation([]) });
    function* finding(): Generator<[string, Conversation]> {
      taken.push('others');
      yield ['lost', lost];
      yield ['last', conversation([])];
    }
    const written = JSON.parse(
      all(writeJson(head, conversation([message(tool({ agentId: 'sub' }))], { sub }), finding())),
    );
    expect(Object.keys(written.subagents)).toEqual(['sub', 'lost', 'child', 'last']);
    expect(taken).toEqual(['sub', 'others']);
  });
});

it('masks everything in a message, including a key that spans lines of a diff', () => {
  const lines = ['-----BEGIN PRIVATE KEY-----', 'MIIE', 'AAAA', '-----END PRIVATE KEY-----', 'PASSWORD=hunter2'].map(
    (line, index) => ({ kind: 'added' as const, oldLine: null, newLine: index + 1, text: line }),
  );
  const result = { text: 'TOKEN=abcd1234', clipped: false, isError: false, images: [], at: null };
  const masked = maskMessage(
    message(
      tool({ input: { env: { API_KEY: 'abcd1234' } }, result, diff: { ...diff, hunks: [{ lines }] } }),
      text('SECRET=abcd1234'),
    ),
  );
  const [call, words] = masked.parts;
  expect(call).toMatchObject({
    input: { env: { API_KEY: '[masked]' } },
    result: { text: 'TOKEN=[masked]' },
    diff: { hunks: [{ lines: [{}, { text: '[masked]' }, { text: '[masked]' }, {}, { text: 'PASSWORD=[masked]' }] }] },
  });
  expect(words).toMatchObject({ text: 'SECRET=[masked]' });
});

describe('Markdown from a hostile agent', () => {
  const ESC = '\u001b';
  const written = (...parts: MessagePart[]) => all(writeMarkdown(head, conversation([message(...parts)]), []));

  it('moves no cursor and sets no clipboard when it is printed', () => {
    const evil = `a${ESC}[2K\rb${ESC}]52;c;ZWNobw==\u0007c${ESC}]0;title${ESC}\\d\u009b31me\u0000f`;
    const result = { text: evil, clipped: false, isError: false, images: [], at: null };
    const markdown = written(
      text(evil),
      { kind: 'thinking', text: evil, clipped: false },
      tool({ name: evil, result }),
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(markdown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(markdown).toContain('a\nbcd31mef');
  });

  it('loads no image from elsewhere', () => {
    const markdown = written(text('see ![x](https://evil.example/pixel.png) and ![y][z]\n\n`![code](stays)`'));
    expect(markdown).toContain('see [x](https://evil.example/pixel.png) and [y][z]');
    expect(markdown).toContain('`![code](stays)`');
  });
});
