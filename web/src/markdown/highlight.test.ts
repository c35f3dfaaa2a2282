import { expect, it } from 'vitest';
import { highlight } from './highlight.ts';
import { toPieces } from './highlight-pieces.ts';

const textOf = (pieces: readonly { text: string }[] | null) => pieces?.map(({ text }) => text).join('');

it('keeps every character of the code', () => {
  const code = `const a = "<b>&amp;'x'</b>"; // </span><script>alert(1)</script>\nreturn a < 3 && b > 2;`;
  const pieces = highlight(code, 'ts');
  expect(textOf(pieces)).toBe(code);
  expect(pieces?.some(({ className }) => className === 'hljs-keyword')).toBe(true);
});

it('keeps it in every language, even for invalid code', () => {
  const code = '<a href="x">&lt;\n# { } ` $ @ \\ <!-- \'\n+ x\n- y';
  for (const name of ['bash', 'json', 'html', 'python', 'diff', 'yaml', 'css', 'md', 'sql', 'rs', 'go', 'Dockerfile'])
    expect(textOf(highlight(code, name))).toBe(code);
});

it('leaves code in an unknown language plain', () => {
  expect(highlight('x', 'klingon')).toBeNull();
  expect(highlight('x', '__proto__')).toBeNull();
});

it('uses the innermost class', () => {
  expect(toPieces('<span class="a">x<span class="b c">y</span>z</span>&lt;')).toEqual([
    { text: 'x', className: 'a' },
    { text: 'y', className: 'b c' },
    { text: 'z', className: 'a' },
    { text: '<', className: '' },
  ]);
});
