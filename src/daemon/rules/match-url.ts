import { hiddenCharacter } from '../../contract/hidden-characters.ts';
import type { Token } from './glob/automaton.ts';
import { Glob } from './glob/glob.ts';
import { fold } from './match-path.ts';
import { type PatternPart, parsePattern } from './parse-pattern.ts';

type View = 'href' | 'address' | 'host';
type Views = Record<View, string[]>;

export interface UrlFacts {
  /** As the client will call it; undefined if that is uncertain. */
  views: Views | undefined;
  /** Every spelling of the same thing, for deny and ask. */
  spellings: Views;
}

export interface UrlMatcher {
  globs: Glob[];
  allows(url: UrlFacts): boolean;
  catches(url: UrlFacts): boolean;
}

/**
 * A URL is matched as the client will call it: host in lower case, without `..` and default ports. In an allow, a `*` in the host stays in
 * the host, or `https://*.example.com/*` would cover `https://evil.com/.example.com/`. A pattern without `://` is about host and path, one
 * without a slash about the host alone.
 */
export function urlMatcher(pattern: string, { wide }: { wide: boolean }): UrlMatcher {
  const alternatives = parsePattern(wide ? fold(pattern) : pattern).map((parts) => {
    const literal = parts.map((part) => (typeof part === 'string' ? part : '*')).join('');
    const view: View =
      literal.includes('://') || /^\**$/.test(literal) ? 'href' : literal.includes('/') ? 'address' : 'host';
    return { view, glob: new Glob(wide ? parts.map(crossing) : hostBound(parts, view === 'href'), pattern) };
  });
  const anyMatches = (views: Views) =>
    alternatives.some(({ view, glob }) => views[view].some((text) => glob.matches(text)));
  return {
    globs: alternatives.map(({ glob }) => glob),
    allows: ({ views }) => views !== undefined && anyMatches(views),
    catches: ({ spellings }) => anyMatches(spellings),
  };
}

export function urlFacts(url: string): UrlFacts {
  const isPlain = !hiddenCharacter(url) && !/[\s\\]/.test(url);
  const parsed = isPlain ? parse(url) : null;
  const isSure = parsed && !parsed.username && !parsed.password;
  const read = [parse(url), parse(`https://${url}`)].filter((each) => each !== null);
  const spellings = join([{ href: [url], address: [url], host: [url] }, ...read.map(everySpelling)]);
  return { views: isSure ? viewsOf(parsed) : undefined, spellings };
}

function parse(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}

function viewsOf(url: URL): Views {
  const address = `${url.host}${url.pathname}${url.search}`;
  // `https://example.com` is written without the slash every URL has
  const bare = (text: string) =>
    url.pathname === '/' && !url.search && !url.hash ? [text, text.slice(0, -1)] : [text];
  return { href: bare(url.href), address: bare(address), host: [url.hostname] };
}

/** The client switches to https on its own, and a dot after the host changes nothing. */
function everySpelling(url: URL): Views {
  const plain = new URL(url.href);
  plain.username = '';
  plain.password = '';
  plain.hostname = plain.hostname.replace(/\.+$/, '');
  const secure = new URL(plain.href);
  secure.protocol = 'https:';
  return join([url, plain, secure].map(viewsOf));
}

function join(views: Views[]): Views {
  const all = (view: View) => [...new Set(views.flatMap((each) => each[view].map(fold)))];
  return { href: all('href'), address: all('address'), host: all('host') };
}

function crossing(part: PatternPart): Token {
  return typeof part === 'string' ? part : { many: part.many, stops: '' };
}

function hostBound(parts: PatternPart[], hasScheme: boolean): Token[] {
  let seen = '';
  return parts.map((part, at) => {
    if (typeof part === 'string') {
      seen += part;
      return part;
    }
    const address = hasScheme ? seen.split('://').slice(1).join('://') : seen;
    // `*` and `https://*` mean every host, and so every path
    const isWholeAddress = at === parts.length - 1 && address === '' && (at === 0 || seen.endsWith('://'));
    if (isWholeAddress || address.includes('/')) return { many: part.many, stops: '' };
    // after the start of a host, or `https://example.com*` would cover `https://example.com.evil.com`
    return { many: part.many, stops: address === '' ? '/?#@' : '/?#@.:' };
  });
}
