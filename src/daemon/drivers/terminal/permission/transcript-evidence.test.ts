import { appendFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TranscriptEvidence, transcriptOf } from './transcript-evidence.ts';

function transcript() {
  const folder = mkdtempSync(join(tmpdir(), 'gc-evidence-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 's.jsonl');
  return {
    path,
    write: (...lines: object[]) => appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
  };
}

const attachment = (type: string, toolUseID: string, more: object = {}) => ({
  type: 'attachment',
  attachment: { type, toolUseID, hookEvent: 'PermissionRequest', ...more },
});
const result = (tool_use_id: string, content: unknown) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id, content }] },
});
const NO = "The user doesn't want to proceed with this tool use. The tool use was rejected.";

test('reads who decided a call and how it ended, as the client writes it', async () => {
  const { path, write } = transcript();
  const evidence = new TranscriptEvidence(path, ['one', 'two']);
  expect(await evidence.read()).toBeUndefined();
  write({ type: 'user', message: { role: 'user', content: 'about one and two' } });
  expect(await evidence.read()).toEqual([{ namesHooks: false }, { namesHooks: false }]);
  write(attachment('hook_success', 'one', { hookEvent: 'PreToolUse' }));
  write(attachment('hook_permission_decision', 'one', { decision: 'deny' }), result('one', 'Not today'));
  write(result('two', [{ type: 'text', text: `${NO} STOP what you are doing` }]), result('three', 'ok'));
  expect(await evidence.read()).toEqual([
    { namesHooks: true, hookDecision: 'deny', result: { text: 'Not today' } },
    { namesHooks: false, result: { refusal: 'stopped', text: `${NO} STOP what you are doing` } },
  ]);
});

test('tells a refusal with words apart, and ignores decisions of other kinds of hooks', async () => {
  const { path, write } = transcript();
  write(attachment('hook_permission_decision', 'one', { hookEvent: 'PreToolUse', decision: 'allow' }));
  write(result('one', `${NO} To tell you how to proceed, the user said:\nelsewhere`));
  expect(await new TranscriptEvidence(path, ['one']).read()).toMatchObject([
    { namesHooks: true, result: { refusal: 'said' } },
  ]);
});

test('reads a line only once it is complete, and skips broken ones', async () => {
  const { path } = transcript();
  const line = JSON.stringify(result('one', 'ok'));
  writeFileSync(path, `{"one": \n${line.slice(0, 20)}`);
  const evidence = new TranscriptEvidence(path, ['one']);
  expect(await evidence.read()).toEqual([{ namesHooks: false }]);
  appendFileSync(path, `${line.slice(20)}\n`);
  expect(await evidence.read()).toMatchObject([{ result: { text: 'ok' } }]);
});

test('looks only at the end of a long transcript, and never through a link', async () => {
  const { path, write } = transcript();
  write(result('one', 'long ago'), { type: 'system', padding: 'x'.repeat(2 * 1024 * 1024) }, result('two', 'now'));
  expect(await new TranscriptEvidence(path, ['one', 'two']).read()).toMatchObject([
    { namesHooks: false },
    { result: { text: 'now' } },
  ]);
  symlinkSync(path, `${path}.link`);
  expect(await new TranscriptEvidence(`${path}.link`, ['two']).read()).toBeUndefined();
});

test("finds a subagent's transcript beside its session's", () => {
  expect(transcriptOf('/p/s.jsonl', undefined)).toBe('/p/s.jsonl');
  expect(transcriptOf('/p/s.jsonl', 'a1')).toBe('/p/s/subagents/agent-a1.jsonl');
});
