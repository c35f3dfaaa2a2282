import { capText } from './cap-text.ts';
import { failed, ok, type ToolOutput } from './tool.ts';

const PAGES = 20;
const LONGEST = 60_000;

/** The text of up to 20 pages. Loads the parser on demand because it is large. */
export async function readPdf(content: Buffer, firstPage: number): Promise<ToolOutput> {
  const { extractText } = await import('unpdf');
  try {
    const { totalPages, text } = await extractText(new Uint8Array(content), { mergePages: false });
    if (firstPage > totalPages) return failed(`The PDF has ${totalPages} pages.`);
    const pages = text
      .slice(firstPage - 1, firstPage - 1 + PAGES)
      .map((page, at) => `[page ${firstPage + at} of ${totalPages}]\n${page}`);
    const next = firstPage + PAGES;
    const more = next <= totalPages ? `\n[continue with offset ${next}]` : '';
    return ok(capText(pages.join('\n\n'), LONGEST) + more);
  } catch (error) {
    return failed(`The PDF could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
