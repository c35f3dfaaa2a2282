export interface Piece {
  text: string;
  /** Empty: plain. */
  className: string;
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };
const TOKEN = /<span class="([\w\s-]*)">|<\/span>|([^<]+|<)/g;

/** Turns the highlighter's markup into text pieces with a class each, so no markup ever goes into the page. */
export function toPieces(html: string): Piece[] {
  const pieces: Piece[] = [];
  const classes: string[] = [];
  for (const [token, opened, text] of html.matchAll(TOKEN)) {
    if (opened !== undefined) classes.push(opened);
    else if (text === undefined) classes.pop();
    else pieces.push({ text: decode(token), className: classes.at(-1) ?? '' });
  }
  return pieces;
}

function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity]!);
}
