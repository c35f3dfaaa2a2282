import { createHash } from 'node:crypto';

type Fields = Record<string, unknown>;

/** Lines in the client's format, with ids that tests can name. */
export function uuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function line(type: string, name: string, fields: Fields): string {
  const timestamp = '2026-11-15T21:52:05.409Z';
  return `${JSON.stringify({ parentUuid: null, isSidechain: false, type, uuid: uuid(name), timestamp, ...fields })}\n`;
}

export function prompt(name: string, content: unknown = name, fields: Fields = {}): string {
  return line('user', name, { message: { role: 'user', content }, ...fields });
}

const USAGE = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

/** One line of the API message `group`, with one block. */
export function answer(name: string, group: string, block: unknown, fields: Fields = {}): string {
  const message = { id: group, type: 'message', role: 'assistant', model: 'claude-opus-4-5', content: [block] };
  return line('assistant', name, { message: { ...message, stop_reason: null, usage: USAGE }, ...fields });
}

export const say = (text: string) => ({ type: 'text', text });
export const call = (id: string, name: string, input: Fields) => ({ type: 'tool_use', id, name, input });

export function result(name: string, toolUseId: string, content: unknown, fields: Fields = {}): string {
  const { is_error, ...rest } = fields;
  const block = { tool_use_id: toolUseId, type: 'tool_result', content, ...(is_error ? { is_error } : {}) };
  return line('user', name, { message: { role: 'user', content: [block] }, ...rest });
}

/** This many turns of a prompt, a call, its result and a response. */
export function turns(count: number, { from = 0, output = 'ok' } = {}): string {
  return Array.from({ length: count }, (_, index) => {
    const n = from + index;
    return [
      prompt(`prompt ${n}`),
      answer(`call ${n}`, `msg_${n}_a`, call(`toolu_${n}`, 'Bash', { command: `echo ${n}` })),
      result(`result ${n}`, `toolu_${n}`, output),
      answer(`answer ${n}`, `msg_${n}_b`, say(`done ${n}`)),
    ].join('');
  }).join('');
}
