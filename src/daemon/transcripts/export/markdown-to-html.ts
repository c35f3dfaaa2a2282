import MarkdownIt from 'markdown-it';
import { escapeHtml } from './escape-html.ts';

/** Deeper blocks would be left out. */
const MAX_NESTING = 100;
const PROTOCOLS = new Set(['https:', 'http:', 'mailto:']);

/** Raw HTML in a message stays text. A single line break is one here: people and models write them as they mean them. */
const markdown = new MarkdownIt('default', { breaks: true, maxNesting: MAX_NESTING });
markdown.validateLink = isSafe;
// an exported page loads nothing, so an image is a link to it
markdown.renderer.rules.image = (tokens, at) => {
  const image = tokens[at]!;
  const [url, content] = [String(image.attrGet('src') ?? ''), image.content];
  return `<a href="${escapeHtml(url)}">${escapeHtml(content || url)}</a>`;
};

/** A message as HTML that can hold neither scripts nor frames, whatever the message says. */
export function markdownToHtml(text: string): string {
  const tokens = markdown.parse(text, {});
  if (tokens.some(({ level }) => level >= MAX_NESTING - 1)) return `<pre>${escapeHtml(text)}</pre>\n`;
  // below the heading of the message
  for (const token of tokens)
    token.tag = token.tag.replace(/^h([1-6])$/, (_, level) => `h${Math.min(6, Number(level) + 2)}`);
  return markdown.renderer.render(tokens, markdown.options, {});
}

function isSafe(url: string): boolean {
  return URL.canParse(url) && PROTOCOLS.has(new URL(url).protocol);
}
