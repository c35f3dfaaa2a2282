import { describe, expect, it } from 'vitest';
import { MessagesQuery } from '../../../contract/messages.ts';
import { sourceOf } from './byte-source-for-test.ts';
import { writeCursor } from './cursor.ts';
import { type Page, readPage } from './read-page.ts';
import { answer, call, prompt, result, say, turns, uuid } from './transcript-for-test.ts';

const read = (content: string | Buffer, query: object = {}) =>
  readPage(sourceOf(content), MessagesQuery.parse(query), { isSubagent: false });
const summary = ({ drafts }: Page) =>
  drafts.map(({ role, parts, results }) => {
    const words = parts.map((part) => ('text' in part ? part.text : part.kind === 'tool' ? part.toolUseId : part.kind));
    return `${role}: ${words.join(' | ')}${[...results.values()].map(({ text }) => ` => ${text}`).join('')}`;
  });

describe('a page', () => {
  const ten = turns(10);

  it('is the last messages unless asked otherwise', () => {
    const page = read(ten, { limit: 2 });
    expect(summary(page)).toEqual(['assistant: toolu_9 => ok', 'assistant: done 9']);
    expect(page).toMatchObject({ hasEarlier: true, hasLater: false });
  });

  it('leads to every other page, from either end, each once', () => {
    const whole = summary(read(ten, { limit: 500 }));
    expect(whole).toHaveLength(30);
    for (const limit of [1, 2, 3, 7, 30, 31]) {
      const back: string[] = [];
      for (let page = read(ten, { limit }); ; page = read(ten, { limit, before: writeCursor(page.start) })) {
        back.unshift(...summary(page));
        if (!page.hasEarlier) break;
      }
      expect(back).toEqual(whole);
      const forth: string[] = [];
      for (
        let page = read(ten, { limit, from: 'start' });
        ;
        page = read(ten, { limit, after: writeCursor(page.end) })
      ) {
        forth.push(...summary(page));
        if (!page.hasLater) break;
      }
      expect(forth).toEqual(whole);
    }
  });

  it('gets past a line of more than 64 MB in both directions', () => {
    const long = prompt('x'.repeat(70 * 1024 * 1024));
    const source = sourceOf(Buffer.concat([prompt('first'), long, prompt('last')].map((line) => Buffer.from(line))));
    const at = (query: object) => readPage(source, MessagesQuery.parse(query), { isSubagent: false });
    const shown: string[] = [];
    let page = at({ limit: 1 });
    for (let pages = 0; pages < 5; pages++) {
      shown.push(...summary(page));
      if (!page.hasEarlier) break;
      page = at({ limit: 1, before: writeCursor(page.start) });
    }
    expect(shown).toEqual(['user: last', 'system: This 70 MB line is too long to show.', 'user: first']);
    const first = at({ from: 'start' });
    expect([...summary(first), ...summary(at({ after: writeCursor(first.end) }))]).toEqual(shown.toReversed());
  });

  it('joins the lines of one API message, whatever comes between them', () => {
    const text = [
      prompt('go'),
      answer('a1', 'msg_1', { type: 'thinking', thinking: 'hm', signature: 'x' }),
      answer('a2', 'msg_1', say('I will look.')),
      answer('a3', 'msg_1', call('t1', 'Bash', { command: 'ls' })),
      prompt('note', 'said by a hook', { isMeta: true }),
      result('r1', 't1', 'files'),
      answer('a4', 'msg_1', call('t2', 'Bash', { command: 'pwd' })),
      result('r2', 't2', '/'),
    ].join('');
    const expected = ['user: go', 'assistant: hm | I will look. | t1 | t2 => files => /', 'user: said by a hook'];
    expect(summary(read(text))).toEqual(expected);
    for (const limit of [1, 2]) {
      const page = read(text, { limit });
      expect(summary(page)).toEqual(expected.slice(1));
      expect(page.drafts[0]?.id).toBe(uuid('a1'));
      expect(summary(read(text, { limit, before: writeCursor(page.start) }))).toEqual(['user: go']);
    }
    expect(summary(read(text, { limit: 2, from: 'start' }))).toEqual(expected.slice(0, 2));
  });

  it('finds the result of a call on the next page', () => {
    const page = read(ten, { from: 'start', limit: 2 });
    expect(summary(page)).toEqual(['user: prompt 0', 'assistant: toolu_0 => ok']);
    expect(summary(read(ten, { after: writeCursor(page.end), limit: 2 }))).toEqual([
      'assistant: done 0',
      'user: prompt 1',
    ]);
  });

  it('has no result for a call that never returned', () => {
    const text = `${answer('a', 'msg_x', call('lost', 'Bash', {}))}${ten}`;
    expect(summary(read(text, { from: 'start', limit: 1 }))).toEqual(['assistant: lost']);
  });

  it('shows the surroundings of a message, and of one of its lines', () => {
    const page = read(ten, { around: uuid('answer 5'), limit: 5 });
    expect(page.focusId).toBe(uuid('answer 5'));
    expect(summary(page)).toContain('assistant: done 5');
    expect(page).toMatchObject({ hasEarlier: true, hasLater: true });
    expect(read(ten, { around: uuid('result 5'), limit: 5 }).focusId).toBe(uuid('call 5'));
    const at = Buffer.from(ten.slice(0, ten.indexOf('"prompt 3"'))).lastIndexOf(10) + 1;
    expect(read(ten, { around: `@${at}`, limit: 1 }).focusId).toBe(uuid('prompt 3'));
    expect(read(ten, { around: uuid('prompt 0'), limit: 3 })).toMatchObject({
      hasEarlier: false,
      focusId: uuid('prompt 0'),
    });
    expect(() => read(ten, { around: 'nothing' })).toThrow('No message nothing');
    expect(() => read(ten, { around: '@7' })).toThrow('No message @7');
  });
});

describe('new messages', () => {
  it('is nothing, and costs nothing, until something is written', () => {
    const ten = turns(10);
    const source = sourceOf(ten);
    const { end } = readPage(source, MessagesQuery.parse({}), { isSubagent: false });
    source.bytesRead = 0;
    const page = readPage(source, MessagesQuery.parse({ after: writeCursor(end) }), { isSubagent: false });
    expect(page).toMatchObject({ drafts: [], end, hasLater: false });
    expect(source.bytesRead).toBeLessThan(10);
  });

  it('returns only new messages, and the message whose result arrived', () => {
    const before = `${turns(3)}${prompt('go')}${answer('a1', 'msg_1', call('t1', 'Bash', {}))}`;
    const { end } = read(before);
    const now = `${before}${result('r1', 't1', 'out')}${answer('a2', 'msg_2', say('fine'))}`;
    const page = read(now, { after: writeCursor(end) });
    expect(summary(page)).toEqual(['assistant: t1 => out', 'assistant: fine']);
    expect(page.drafts[0]?.id).toBe(uuid('a1'));
    expect(read(now, { after: writeCursor(page.end) }).drafts).toEqual([]);
  });

  it('include the whole message when another line of it arrived', () => {
    const before = `${prompt('go')}${answer('a1', 'msg_1', say('one'))}`;
    const now = `${before}${answer('a2', 'msg_1', say('two'))}`;
    const page = read(now, { after: writeCursor(read(before).end) });
    expect(page.drafts).toMatchObject([{ id: uuid('a1'), parts: [{ text: 'one' }, { text: 'two' }] }]);
  });

  it('waits for the end of a half-written line', () => {
    const before = turns(2);
    const added = prompt('new');
    const { end } = read(before);
    for (const length of [1, 50, added.length - 1]) {
      const page = read(before + added.slice(0, length), { after: writeCursor(end) });
      expect(page).toMatchObject({ drafts: [], end });
      expect(summary(read(before + added.slice(0, length), { limit: 1 }))).toEqual(['assistant: done 1']);
    }
    expect(summary(read(before + added, { after: writeCursor(end) }))).toEqual(['user: new']);
  });

  it('cannot be determined once the file was rewritten', () => {
    const { end } = read(turns(10));
    expect(() => read(turns(2), { after: writeCursor(end) })).toThrow('rewritten');
    expect(() => read(turns(2), { before: '3' })).toThrow('rewritten');
    expect(() => read(turns(2), { after: '../x' })).toThrow("isn't a cursor");
  });

  it('arrive in parts that form the same conversation, however they are split', () => {
    const text =
      turns(3) +
      answer('z1', 'msg_z', say('a')) +
      answer('z2', 'msg_z', call('tz', 'Bash', {})) +
      result('rz', 'tz', 'b');
    const whole = summary(read(text));
    for (let cut = 0; cut <= text.length; cut += 61) {
      const known = new Map(read(text.slice(0, cut)).drafts.map((draft) => [draft.id, draft]));
      const later = read(text, { after: writeCursor(read(text.slice(0, cut)).end) });
      for (const draft of later.drafts) known.set(draft.id, draft);
      expect(summary({ ...later, drafts: [...known.values()] })).toEqual(whole);
    }
  });
});

describe('a long or broken transcript', () => {
  it('is read near the page only', () => {
    const source = sourceOf(turns(20_000, { output: 'x'.repeat(500) }));
    expect(source.size).toBeGreaterThan(20_000_000);
    for (const query of [{}, { from: 'start' }, { before: '0' }]) {
      source.bytesRead = 0;
      readPage(source, MessagesQuery.parse(query), { isSubagent: false });
      expect(source.bytesRead).toBeLessThan(1_000_000);
    }
  });

  it('has a page even if lines are broken, empty, of unknown types or not objects', () => {
    const junk = [
      '{"type":"user"',
      '\0\0\0',
      '',
      '[]',
      'null',
      '"x"',
      '{"type":"novelty","x":1}',
      '{"x":1,"type":"constructor"}',
      '{"x":1,"type":"__proto__"}',
      '{"type":"user","message":7}',
      '{}',
    ];
    const bytes = Buffer.concat([
      Buffer.from(`${prompt('one')}${junk.join('\n')}\n`),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from(`\0\0\0${prompt('two')}\uFEFF${prompt('three')}${answer('a', 'm', { type: 'novelty' })}`),
    ]);
    const expected = ['user: one', 'user: two', 'user: three'];
    expect(summary(read(bytes))).toEqual(expected);
    expect(summary(read(bytes, { from: 'start' }))).toEqual(expected);
  });

  it('reports a line that is too long', () => {
    const text = `${prompt('one')}${prompt('long', 'x'.repeat(33 * 1024 * 1024))}${prompt('two')}`;
    const expected = ['user: one', 'system: This 33 MB line is too long to show.', 'user: two'];
    expect(summary(read(text))).toEqual(expected);
    expect(summary(read(text, { from: 'start' }))).toEqual(expected);
  });

  it('ends a page early instead of parsing tens of megabytes', () => {
    const text = Array.from({ length: 20 }, (_, n) => prompt(`p${n}`, 'x'.repeat(1024 * 1024))).join('');
    const page = read(text);
    expect(page.drafts.length).toBeGreaterThan(0);
    expect(page.drafts.length).toBeLessThan(6);
    expect(page.hasEarlier).toBe(true);
  });

  it('can be empty', () => {
    expect(read('')).toMatchObject({ drafts: [], hasEarlier: false, hasLater: false });
    expect(read('half')).toMatchObject({ drafts: [], hasEarlier: false, hasLater: false });
  });
});
