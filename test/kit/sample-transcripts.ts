import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const SAMPLE_SESSION = '11111111-2222-4333-8444-555555555555';
export const SAMPLE_AGENT = 'a1b2c3';

/** A session from before Ground Control: two replies on two days, a tool with its output, and a subagent with its own transcript. */
export function writeSampleTranscripts(configDir: string): void {
  const folder = join(configDir, 'projects', '-work-app');
  const base = { sessionId: SAMPLE_SESSION, cwd: '/work/app', gitBranch: 'main', version: '2.1.325' };
  const usage = {
    input_tokens: 50,
    output_tokens: 10,
    cache_read_input_tokens: 500,
    cache_creation_input_tokens: 25,
    cache_creation: { ephemeral_5m_input_tokens: 25, ephemeral_1h_input_tokens: 0 },
  };
  const answer = (uuid: string, id: string, at: string, model: string, content: unknown[], used: object = usage) => ({
    ...base,
    type: 'assistant',
    uuid,
    timestamp: at,
    requestId: `r-${id}`,
    message: { id, type: 'message', role: 'assistant', model, content, stop_reason: 'end_turn', usage: used },
  });
  const user = (uuid: string, at: string, content: unknown) => ({
    ...base,
    type: 'user',
    uuid,
    timestamp: at,
    message: { role: 'user', content },
  });
  const bash = { type: 'tool_use', id: 't-1', name: 'Bash', input: { command: 'grep pelican' } };
  const agent = { type: 'tool_use', id: 't-2', name: 'Agent', input: { description: 'Look', prompt: 'look for it' } };
  const small = { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  write(join(folder, `${SAMPLE_SESSION}.jsonl`), [
    user('u-1', '2026-11-14T09:00:00.000Z', 'find the pelican'),
    answer('u-2', 'm-1', '2026-11-14T09:00:01.000Z', 'claude-opus-5', [bash]),
    user('u-3', '2026-11-14T09:00:02.000Z', [{ type: 'tool_result', tool_use_id: 't-1', content: 'feathers' }]),
    answer('u-4', 'm-2', '2026-11-15T00:30:00.000Z', 'claude-opus-5', [agent]),
  ]);
  const aside = { isSidechain: true, agentId: SAMPLE_AGENT };
  const grep = { type: 'tool_use', id: 't-3', name: 'Grep', input: { pattern: 'bird' } };
  write(join(folder, SAMPLE_SESSION, 'subagents', `agent-${SAMPLE_AGENT}.jsonl`), [
    { ...user('g-1', '2026-11-14T09:00:03.000Z', 'look for it'), ...aside },
    {
      ...answer(
        'g-2',
        'm-3',
        '2026-11-14T09:00:04.000Z',
        'claude-haiku-4-5',
        [{ type: 'text', text: 'a heron' }, grep],
        small,
      ),
      ...aside,
    },
  ]);
}

function write(path: string, lines: object[]): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
