import { AgentError } from '../errors.ts';

/** `ANTHROPIC_CUSTOM_HEADERS`: one `Name: value` per line. A name without a value removes the header, for gateways that reject one the SDK sends. */
export function readCustomHeaders(text: string | undefined): Record<string, string | null> {
  const headers: Record<string, string | null> = {};
  for (const line of (text ?? '').split('\n')) {
    if (line.trim() === '') continue;
    const [, name, value = ''] = /^\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined)
      throw new AgentError(
        'agent.bad_headers',
        `ANTHROPIC_CUSTOM_HEADERS has a line that isn't "Name: value": ${JSON.stringify(line.split(':', 1)[0])}.`,
      );
    headers[name.toLowerCase()] = value === '' ? null : value;
  }
  return headers;
}
