import type { DaemonProcess } from './daemon-process.ts';

/** Calls the API like an operator's script. */
export function apiCaller({ url, operatorToken }: Pick<DaemonProcess, 'url' | 'operatorToken'>) {
  return async (method: string, path: string, body?: unknown) => {
    const headers: Record<string, string> = { authorization: `Bearer ${operatorToken}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    return { status: answer.status, json: (text ? JSON.parse(text) : undefined) as any };
  };
}
