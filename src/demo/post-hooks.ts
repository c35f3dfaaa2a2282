import { Agent, type IncomingMessage, request } from 'node:http';
import type { HookAnswer } from '../contract/hooks.ts';

/** Where hooks go, according to the client's settings. */
export interface HookAddress {
  url: string;
  /** Responds when there is a prompt, however long that takes. */
  rewakeUrl: string;
  headers: Record<string, string>;
}

export type HookBody = Record<string, unknown> & { session_id: string; hook_event_name: string };

/** Posts hooks the way the client does: in sequence where it waits, and without a limit where a person is asked. */
export class HookPoster {
  readonly #address: HookAddress;
  readonly #signal: AbortSignal;
  readonly #connections = new Agent({ keepAlive: true });

  constructor(address: HookAddress, signal: AbortSignal) {
    this.#address = address;
    this.#signal = signal;
  }

  async post(body: HookBody): Promise<HookAnswer> {
    const { status, text } = await this.#send(this.#address.url, body, this.#signal);
    if (status !== 200) throw new Error(`${body.hook_event_name} was answered with ${status}: ${text}`);
    return JSON.parse(text) as HookAnswer;
  }

  /** The text of a prompt. undefined: there will be none. */
  async waitForPrompt(body: HookBody, signal: AbortSignal): Promise<string | undefined> {
    const either = AbortSignal.any([this.#signal, signal]);
    const { status, text } = await this.#send(this.#address.rewakeUrl, body, either);
    return status === 200 ? text : undefined;
  }

  close(): void {
    this.#connections.destroy();
  }

  #send(url: string, body: HookBody, signal: AbortSignal): Promise<{ status: number; text: string }> {
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = { 'content-type': 'application/json', 'content-length': bytes.length, ...this.#address.headers };
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', headers, agent: this.#connections, signal };
      const sent = request(url, options, (answer) =>
        readAll(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject),
      );
      sent.on('error', reject);
      sent.end(bytes);
    });
  }
}

async function readAll(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
