import { describe, expect, it, test } from 'vitest';
import { markdownToHtml } from './markdown-to-html.ts';

test('renders what models write: headings, lists, tables, code and links', () => {
  const html = markdownToHtml(
    '## Plan\n\n1. **Read** `a.ts`\n2. ~~Skip~~\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```ts\nconst a = 1 < 2;\n```\n\n[docs](https://example.com/a?b=1&c)',
  );
  for (const part of [
    '<h4>Plan</h4>',
    '<li><strong>Read</strong> <code>a.ts</code></li>',
    '<s>Skip</s>',
    '<td>1</td>',
    '<pre><code class="language-ts">const a = 1 &lt; 2;\n</code></pre>',
    '<a href="https://example.com/a?b=1&amp;c">docs</a>',
  ])
    expect(html).toContain(part);
});

test('keeps line breaks', () => {
  expect(markdownToHtml('one\ntwo')).toContain('one<br>');
});

describe('hostile text', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[a](javascript:alert(1))',
    '[a](data:text/html,<script>alert(1)</script>)',
    '[a]: vbscript:alert(1)\n\n[a]',
    '<javascript:alert(1)>',
    '![" onerror="alert(1)](https://example.com/x.png)',
    '[a](https://example.com/" onclick="alert(1))',
    '```"><script>alert(1)</script>\ncode\n```',
  ])('%s stays text', (text) => {
    const html = markdownToHtml(text);
    expect(html).not.toMatch(/<(script|img|iframe|object|svg|style)/i);
    expect(html).not.toMatch(/<[^>]*\son\w+\s*=/i);
    expect(html).not.toMatch(/href="(?!https?:|mailto:)/i);
  });

  it('loads no images: it links to them', () => {
    expect(markdownToHtml('![chart](https://example.com/x.png)')).toContain(
      '<a href="https://example.com/x.png">chart</a>',
    );
  });

  it('is shown as written if it nests too deeply to render', () => {
    const text = `${'>'.repeat(5_000)} end`;
    expect(markdownToHtml(text)).toBe(`<pre>${text.replaceAll('>', '&gt;')}</pre>\n`);
  });

  it.each([
    ['emphasis', `${'*'.repeat(20_000)}a${'*'.repeat(20_000)}`],
    ['brackets', '['.repeat(20_000)],
    ['quotes', '>'.repeat(20_000)],
    ['backticks', Array.from({ length: 600 }, (_, n) => '`'.repeat(n)).join('a ')],
    ['tables', `${'|a'.repeat(20_000)}\n${'|-'.repeat(20_000)}\n`],
  ])(
    'of many %s takes no longer than a long message',
    (_, text) => {
      expect(markdownToHtml(text)).not.toBe('');
    },
    10_000,
  );
});
