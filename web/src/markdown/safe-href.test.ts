import { expect, it } from 'vitest';
import { safeHref } from './safe-href.ts';

it.each(['https://example.org/a?b=c', 'http://127.0.0.1:8080/', 'mailto:a@example.org'])('lets %s through', (url) => {
  expect(safeHref(url)).toBe(url);
});

it.each([
  'javascript:alert(1)',
  ' JavaScript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:http://127.0.0.1/x',
  'src/app.ts',
  '/api/stop',
  '//example.org',
  '',
  `https://example.org/${'a'.repeat(5000)}`,
])('does not link to %s', (url) => {
  expect(safeHref(url)).toBeUndefined();
});
