import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { rootCertificates } from 'node:tls';
import type { AddressCheck } from '../../contract/remote.ts';
import { answerProbe } from '../../contract/routes/remote.ts';
import { HOLD_MS, type Probes } from './probes.ts';

const PATIENCE_MS = 15_000;
const MOST_BYTES = 4096;

interface CheckOptions {
  probes: Probes;
  /** The CA we made, which this machine needn't trust. */
  ca: string | undefined;
}

/** Asks at an address for what only this daemon can answer. */
export async function checkAddress(url: string, { probes, ca }: CheckOptions): Promise<AddressCheck> {
  const { nonce, proof } = probes.issue();
  const asked = `${url}${answerProbe.path.replace(':nonce', nonce)}`;
  try {
    const response = await get(asked, ca);
    return { address: url, ...(await judge(response, proof)) };
  } catch (error) {
    return { address: url, works: false, ...explain(error as NodeJS.ErrnoException, url) };
  }
}

type Judged = Omit<AddressCheck, 'address'>;

async function judge(response: IncomingMessage, proof: string): Promise<Judged> {
  const { statusCode: status = 0, headers } = response;
  const { text, firstMs } = await read(response);
  if (status === 200 && text.includes(proof)) return firstMs < HOLD_MS ? WORKS : HELD_BACK;
  if (text.includes('access.wrong_host'))
    return {
      works: false,
      detail: 'reaches this machine, but with another Host header',
      fix: 'Let the proxy pass the Host header on (nginx: proxy_set_header Host $host), or trust its X-Forwarded-Host: gctl remote url --trust-proxy',
    };
  if (status >= 300 && status < 400)
    return {
      works: false,
      detail: `redirects to ${hostOf(headers.location)} instead of answering`,
      fix: 'If that is a sign-in page of your proxy, sign in on the phone first. It also has to let the page’s own requests through.',
    };
  if (status === 502 || status === 503 || status === 504 || status === 530)
    return {
      works: false,
      detail: `its server answers ${status}: it can't reach this machine`,
      fix: 'Check that the tunnel runs and forwards to this port.',
    };
  return {
    works: false,
    detail: `something else answers there (status ${status})`,
    fix: 'Check where the name points to, and which port the tunnel forwards to.',
  };
}

const WORKS: Judged = { works: true, detail: 'works', fix: null };
const HELD_BACK: Judged = {
  works: false,
  detail: 'answers, but holds live updates back',
  fix: 'The page would look frozen. Turn buffering off in the proxy (nginx: proxy_buffering off). Cloudflare quick tunnels always buffer: use a named one.',
};

function get(url: string, ca: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
    request(url, { headers: { accept: 'text/event-stream' }, signal: AbortSignal.timeout(PATIENCE_MS), ...trusted })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
}

/** The text, and how long its first piece took from the response's head. */
async function read(response: IncomingMessage): Promise<{ text: string; firstMs: number }> {
  const started = performance.now();
  let firstMs = Number.POSITIVE_INFINITY;
  let text = '';
  for await (const piece of response) {
    firstMs = Math.min(firstMs, performance.now() - started);
    text += String(piece);
    if (text.length > MOST_BYTES) break;
  }
  // what arrives together with the end was held back until then
  const tookMs = performance.now() - started;
  return { text, firstMs: tookMs - firstMs < HOLD_MS / 2 ? HOLD_MS : firstMs };
}

function explain(
  { code = '', name, message }: NodeJS.ErrnoException,
  url: string,
): Pick<AddressCheck, 'detail' | 'fix'> {
  const { hostname } = new URL(url);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      detail: `this machine can't resolve ${hostname}`,
      fix: 'Check the DNS record. Other devices may resolve it: try it on your phone.',
    };
  if (
    code === 'ECONNREFUSED' ||
    code === 'ECONNRESET' ||
    code === 'EHOSTUNREACH' ||
    name === 'TimeoutError' ||
    name === 'AbortError'
  )
    return {
      detail: `doesn't answer (${code || 'no answer in time'})`,
      fix: 'Check that the tunnel or proxy runs. Some networks can’t reach their own public address: try it on your phone.',
    };
  if (/CERT|SIGNATURE|SELF_SIGNED|ALTNAME|SSL|TLS/i.test(code))
    return {
      detail: `its certificate isn't valid for ${hostname} (${code})`,
      fix: 'Phones refuse notifications and passkeys there. Get a certificate for this name, or use gctl remote tailscale.',
    };
  return { detail: `couldn't be checked: ${message}`, fix: null };
}

const hostOf = (location: string | undefined): string =>
  location !== undefined && URL.canParse(location) ? new URL(location).host : 'another page';
