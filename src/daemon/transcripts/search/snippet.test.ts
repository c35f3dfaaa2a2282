import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseSearchQuery } from './search-query.ts';
import { makeSnippet } from './snippet.ts';

const termsOf = (text: string) => parseSearchQuery(text, { now: 0, timeZone: 'UTC' }).terms;
const marked = (text: string, query: string) =>
  makeSnippet(text, termsOf(query))
    .map(({ text: part, match }) => (match ? `[${part}]` : part))
    .join('');

it.each([
  ['The flaky test fails', 'test flaky', 'The [flaky] [test] fails'],
  ['run src/main.ts now', 'src/main.ts', 'run [src/main.ts] now'],
  ['deploying, deployed', 'deploy*', '[deploying], [deployed]'],
  ['Das Café  in\n\nder  GRÖSSE', 'cafe größe', 'Das [Café] in der [GRÖSSE]'],
  ['Müller und MULLER', 'müller', '[Müller] und [MULLER]'],
  ['one two three', '"two three"', 'one [two three]'],
  ['nothing here', 'absent', 'nothing here'],
  ['the webhooks of webhook', 'webhook', 'the [webhooks] of [webhook]'],
  ['the webhooks of webhook', '"webhook"', 'the webhooks of [webhook]'],
  ['git commit --no-verify now', '--no-verify', 'git commit [--no-verify] now'],
  ['rm -rf quokka', 'rm -rf quokka', '[rm] [-rf] [quokka]'],
  ['私は日本語を話します', '日本語', '私は[日本語]を話します'],
  ['設定fileを見る', 'file', '設定[file]を見る'],
  ['우리학교에서', '학교', '우리[학교]에서'],
  ['กรุณาแก้ไขหน้า', 'แก้ไข', 'กรุณา[แก้ไข]หน้า'],
  ['Tiếng Việt', 'viet', 'Tiếng [Việt]'],
  ['ship 🚀 it', '🚀', 'ship [🚀] it'],
  ['', 'x', ''],
])('%j by %j is %j', (text, query, expected) => expect(marked(text, query)).toBe(expected));

it('shows where the words are close together', () => {
  const text = `alpha ${'filler '.repeat(100)}alpha beta ${'filler '.repeat(100)}`;
  const snippet = marked(text, 'alpha beta');
  expect(snippet).toContain('[alpha] [beta]');
  expect(snippet).toMatch(/^…filler .* filler…$|^….*…$/);
  expect(snippet.length).toBeLessThan(300);
});

it('returns only what the text contains, for any query on any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), fc.string({ maxLength: 20 }), (text, word) => {
      const term = { kind: 'word' as const, written: word, match: word, mayGoOn: false, literal: null };
      const parts = makeSnippet(text, [{ ...term, isPrefix: true }]);
      const shown = parts.map((part) => part.text).join('');
      const flat = text.replace(/\s+/g, '');
      expect(flat).toContain(shown.replace(/^…|…$/g, '').replace(/\s+/g, ''));
    }),
  );
});
