import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openFile } from './byte-source.ts';
import { agentsFolder, findAgentTranscript, findTranscript } from './find-transcript.ts';
import { startedAgents } from './started-agents.ts';

let root: string;
let configDir: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gc-find-')));
  configDir = join(root, 'claude');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text = ''): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const find = (sessionId: string, ...claims: (string | null)[]) => findTranscript({ configDir, sessionId, claims });

it('is found by its name, the newest of several, or at a given path', () => {
  expect(() => find('s1')).toThrow('Session s1 has no transcript');
  const old = put('claude/projects/-a/s1.jsonl');
  const young = put('claude/projects/-b/s1.jsonl');
  utimesSync(old, 1, 1);
  expect(find('s1')).toBe(young);
  expect(find('s1', null, old)).toBe(old);
  expect(find('s1', join(configDir, 'projects', '-c', 's1.jsonl'))).toBe(young);
});

it('is only found below the projects folder, however it is reached', () => {
  const outside = put('outside/s1.jsonl', 'secret');
  put('claude/projects/-a/other.jsonl');
  const link = join(configDir, 'projects', '-a', 's1.jsonl');
  symlinkSync(outside, link);
  symlinkSync(join(root, 'outside'), join(configDir, 'projects', '-linked'));
  put('claude/projects-evil/s1.jsonl');
  const claims = [
    outside,
    link,
    `${configDir}/projects/../../outside/s1.jsonl`,
    `${configDir}/projects-evil/s1.jsonl`,
    '/dev/stdin',
    '\0',
    '',
  ];
  for (const claim of claims) expect(() => find('s1', claim), claim).toThrow('no transcript');
  for (const id of ['../outside/s1', '..', '', 'a/b', 'x'.repeat(300), 'a\0b'])
    expect(() => find(id), id).toThrow('no transcript');
});

it('may be behind a link to the projects folder itself', () => {
  const file = put('elsewhere/-a/s1.jsonl');
  mkdirSync(configDir);
  symlinkSync(join(root, 'elsewhere'), join(configDir, 'projects'));
  expect(find('s1', join(configDir, 'projects', '-a', 's1.jsonl'))).toBe(file);
});

it('of a subagent is below the session, deeper, or next to it', () => {
  put('claude/projects/-a/s1.jsonl');
  const near = put('claude/projects/-a/s1/subagents/agent-a1.jsonl');
  const deep = put('claude/projects/-a/s1/subagents/flows/f1/agent-a2.jsonl');
  const beside = put('claude/projects/-a/agent-a3.jsonl');
  const agent = (agentId: string, indexed: string[] = []) =>
    findAgentTranscript({ configDir, sessionId: 's1', claims: [], agentId, indexed });
  expect([agent('a1'), agent('a2'), agent('a3')]).toEqual([near, deep, beside]);
  for (const id of ['a4', '../s1', '../../agent-a3', '']) expect(() => agent(id), id).toThrow();
  symlinkSync(put('outside/x.jsonl'), join(configDir, 'projects/-a/s1/subagents/agent-a5.jsonl'));
  expect(() => agent('a5')).toThrow();
  rmSync(join(configDir, 'projects/-a/s1.jsonl'));
  expect(() => agent('a1')).toThrow();
  expect(agent('a1', ['/etc/passwd', near])).toBe(near);
});

it('reports where its session’s subagents are', () => {
  for (const path of [
    's1.jsonl',
    'agent-a3.jsonl',
    's1/subagents/agent-a1.jsonl',
    's1/subagents/flows/f1/agent-a2.jsonl',
  ])
    expect(agentsFolder(`/c/projects/-a/${path}`, 's1')).toBe('/c/projects/-a/s1/subagents');
});

it('that is not a regular file is not opened', () => {
  const pipe = join(root, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', pipe]);
  expect(() => openFile(pipe)).toThrow('not a plain file');
  symlinkSync(put('real'), join(root, 'link'));
  expect(() => openFile(join(root, 'link'))).toThrow();
});

it('says which call started which subagent', () => {
  const folder = join(root, 'sub');
  expect(startedAgents(folder)('t1')).toBeNull();
  put('sub/agent-a1.meta.json', '{"toolUseId":"t1"}');
  put('sub/agent-a2.meta.json', '{broken');
  mkdirSync(join(folder, 'agent-a3.meta.json'));
  symlinkSync(put('away.json', '{"toolUseId":"t3"}'), join(folder, 'agent-a4.meta.json'));
  put('sub/other.json', '{"toolUseId":"t2"}');
  put('sub/flows/f1/agent-a5.meta.json', '{"toolUseId":"t5"}');
  const agentOf = startedAgents(folder);
  expect(['t1', 't2', 't3', 't5'].map(agentOf)).toEqual(['a1', null, null, 'a5']);
});
