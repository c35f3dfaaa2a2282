import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderPrompt } from './render-prompt.ts';

test('fills declared parameters and leaves everything else alone', () => {
  const text =
    'In {{language}}, {{ count }} files, {{tags}}{{none}}. {{other}} \\{{language}} {{ bad name }} {{toString}}';
  const values = { language: 'Go', count: 3, tags: ['a'] };
  expect(renderPrompt(text, { declared: ['language', 'count', 'tags', 'none'], values })).toBe(
    'In Go, 3 files, ["a"]. {{other}} {{language}} {{ bad name }} {{toString}}',
  );
});

test('inserts a value literally, whatever it contains', () => {
  const hostile = fc.oneof(fc.string(), fc.constantFrom('{{b}}', '$&', '$1', "$'", '\\{{b}}', '}}{{'));
  fc.assert(
    fc.property(hostile, hostile, (a, b) => {
      const rendered = renderPrompt('<{{a}}|{{b}}>', { declared: ['a', 'b'], values: { a, b } });
      expect(rendered).toBe(`<${a}|${b}>`);
    }),
  );
});
