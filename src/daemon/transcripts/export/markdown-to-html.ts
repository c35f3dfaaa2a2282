import { escapeHtml } from './escape-html.ts';

/** The small part of Markdown that responses use: code, headings, emphasis. The rest is shown as written. */
export function markdownToHtml(text: string): string {
  const html: string[] = [];
  let code: string[] | undefined;
  let fence = '';
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (code === undefined && mark) {
      [code, fence] = [[], mark];
    } else if (code !== undefined && mark?.startsWith(fence) && line.trim() === mark) {
      html.push(codeBlock(code));
      code = undefined;
    } else if (code !== undefined) code.push(line);
    else html.push(`${toLine(line)}\n`);
  }
  if (code !== undefined) html.push(codeBlock(code));
  return html.join('');
}

function codeBlock(lines: string[]): string {
  return `<pre>${escapeHtml(lines.join('\n'))}</pre>`;
}

function toLine(line: string): string {
  const heading = /^(#{1,6}) (.*)$/.exec(line);
  return heading ? `<strong class="heading">${inline(heading[2]!)}</strong>` : inline(line);
}

/** Escaped first, so only our own tags can come out. */
function inline(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]{1,1000})`/g, '<code>$1</code>')
    .replace(/\*\*([^*]{1,1000})\*\*/g, '<strong>$1</strong>');
}
