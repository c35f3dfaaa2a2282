import { describe, expect, it } from 'vitest';
import { urlFacts, urlMatcher } from './match-url.ts';

const allows = (pattern: string, url: string) => urlMatcher(pattern, { wide: false }).allows(urlFacts(url));
const catches = (pattern: string, url: string) => urlMatcher(pattern, { wide: true }).catches(urlFacts(url));

describe('a URL pattern', () => {
  it.each([
    ['https://docs.example.com/*', 'https://docs.example.com/a/b?c=d', true],
    ['https://docs.example.com/*', 'https://docs.example.com', true],
    ['https://docs.example.com', 'https://docs.example.com/', true],
    ['https://docs.example.com/*', 'HTTPS://DOCS.example.com/a', true],
    ['https://docs.example.com/*', 'https://docs.example.com:443/a', true],
    ['https://docs.example.com/*', 'http://docs.example.com/a', false],
    ['https://docs.example.com/*', 'https://docs.example.com.evil.com/a', false],
    ['https://docs.example.com/*', 'https://docs.example.com@evil.com/', false],
    ['https://docs.example.com/*', 'https://me:x@docs.example.com/', false],
    ['https://docs.example.com/*', 'https://docs.example.com\\@evil.com/', false],
    ['https://docs.example.com/*', 'https://docs.example.com:8443/', false],
    ['https://docs.example.com/*', 'https://docs.example.com/\u200b', false],
    ['https://docs.example.com/*', ' https://docs.example.com/', false],
    ['https://docs.example.com/*', 'not a url', false],
    ['https://docs.example.com/public/*', 'https://docs.example.com/public/../private', false],
    ['https://docs.example.com/public/*', 'https://docs.example.com/public/%2e%2e/private', false],
    ['https://docs.example.com*', 'https://docs.example.com.evil.com/', false],
    ['https://*.example.com/*', 'https://a.example.com/x', true],
    ['https://*.example.com/*', 'https://evil.com/.example.com/', false],
    ['https://*.example.com/*', 'https://evil.com?.example.com/', false],
    ['https://*.example.com/*', 'https://evil.com#.example.com/', false],
    ['https://*', 'https://anything.at/all', true],
    ['*', 'ftp://x/y', true],
    ['docs.example.com', 'https://docs.example.com/any/path', true],
    ['docs.example.com/api/*', 'https://docs.example.com/api/x', true],
    ['*.example.com', 'https://a.example.com/x', true],
    ['*.example.com', 'https://evil.com/a.example.com', false],
    ['{a,b}.example.com', 'https://b.example.com/', true],
  ])('%s allows %s: %s', (pattern, url, expected) => expect(allows(pattern, url)).toBe(expected));

  it.each([
    ['https://evil.com/*', 'https://evil.com/x', true],
    ['https://evil.com/*', 'http://evil.com/x', true],
    ['https://evil.com/*', 'https://EVIL.com./x', true],
    ['https://evil.com/*', 'https://me@evil.com/x', true],
    ['https://evil.com/*', 'evil.com/x', true],
    ['evil.com', 'https://evil.com:8443/x', true],
    ['*evil*', 'https://x.com/evil', true],
    ['https://evil.com/*', 'https://good.com/', false],
  ])('%s catches %s: %s', (pattern, url, expected) => expect(catches(pattern, url)).toBe(expected));
});
