import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { z } from 'zod';
import { isPublicAddress } from '../../net/public-address.ts';
import { checkHost, PrivateAddress, publicLookup } from '../../net/public-lookup.ts';
import { readText } from '../../net/read-text.ts';
import { capText } from './cap-text.ts';
import { defineTool, failed, ok } from './tool.ts';

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;

export interface WebFetchOptions {
  /** `example.com` or `*.example.com`. If empty, the tool is not offered. */
  allowedHosts: readonly string[];
  isAllowedAddress?: (address: string) => boolean;
}

class Refused extends Error {}

export function webFetchTool({ allowedHosts, isAllowedAddress = isPublicAddress }: WebFetchOptions) {
  return defineTool({
    name: 'WebFetch',
    description: `Fetch a page as text. Allowed hosts: ${allowedHosts.join(', ')}.`,
    input: z.object({ url: z.string().min(1) }),
    gate: 'read',
    permission: 'permission',
    async run({ url }, { signal }) {
      try {
        const { status, type, body } = await follow(url, { allowedHosts, isAllowedAddress, signal });
        const text = /html/.test(type) ? htmlToText(body) : body;
        const content = `${status} ${type}\n\n${capText(text, 60_000)}`;
        return status < 400 ? ok(content) : failed(content);
      } catch (error) {
        if (error instanceof Refused || error instanceof PrivateAddress) return failed(error.message);
        throw error;
      }
    },
  });
}

interface FetchRules {
  allowedHosts: readonly string[];
  isAllowedAddress: (address: string) => boolean;
  signal: AbortSignal;
}

async function follow(first: string, rules: FetchRules): Promise<{ status: number; type: string; body: string }> {
  let url = first;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const target = check(url, rules);
    const response = await send(target, rules);
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && headers.location) {
      response.destroy();
      url = new URL(headers.location, target).href;
      continue;
    }
    return { status: statusCode, type: headers['content-type'] ?? '', body: await readText(response, MOST_BYTES) };
  }
  throw new Refused(`${first} redirects more than ${MOST_REDIRECTS} times.`);
}

/** Every hop is checked: an allowed host may redirect anywhere. */
function check(url: string, { allowedHosts, isAllowedAddress }: FetchRules): URL {
  if (!URL.canParse(url)) throw new Refused(`${url} is not a URL.`);
  const target = new URL(url);
  if (target.protocol !== 'https:' && target.protocol !== 'http:')
    throw new Refused(`${target.protocol} is not allowed.`);
  if (target.username || target.password) throw new Refused('A URL with a user name or password is not allowed.');
  const host = target.hostname.replace(/^\[|\]$/g, '');
  if (!allowedHosts.some((allowed) => matchesHost(host, allowed)))
    throw new Refused(`${host} is not on the list of allowed hosts.`);
  checkHost(target, isAllowedAddress);
  return target;
}

function matchesHost(host: string, allowed: string): boolean {
  return allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed;
}

function send(url: URL, { isAllowedAddress, signal }: FetchRules): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    request(url, {
      lookup: publicLookup(isAllowedAddress),
      signal,
      timeout: TIMEOUT_MS,
      headers: { accept: 'text/*, application/json' },
    })
      .on('response', resolve)
      .on('timeout', function (this: { destroy(error: Error): void }) {
        this.destroy(new Error(`${url.host} did not answer within ${TIMEOUT_MS / 1000} s.`));
      })
      .on('error', reject)
      .end();
  });
}

function htmlToText(html: string): string {
  return html
    .replace(/<(script|style|noscript|svg)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/<(br|\/p|\/div|\/li|\/h[1-6]|\/tr)\b[^>]*>/gi, '\n')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(nbsp|amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/[ \t]+/g, ' ')
    .replace(/\n\s*\n+/g, '\n\n')
    .trim();
}

const ENTITIES: Record<string, string> = {
  '&nbsp;': ' ',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
