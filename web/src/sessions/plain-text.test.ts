import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

test('drops Markdown markup, and keeps words and line breaks', () => {
  const markdown =
    '## Done\n\nThe **cap** in `retry.ts` is [fixed](https://example.org/a).\n\n```ts\nconst a = 1;\n```\n2 * 3 * 4';
  expect(plainText(markdown)).toBe('Done\n\nThe cap in retry.ts is fixed.\n\nconst a = 1;\n\n2 * 3 * 4');
});
