import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writePast } from './past.ts';
import { makeProjects } from './projects.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');

function past(seed: number) {
  const folder = mkdtempSync(join(tmpdir(), 'gc-past-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const configDir = join(folder, 'claude');
  const count = writePast({ configDir, projects: makeProjects(join(folder, 'projects')), now: NOW, seed });
  const names = readdirSync(configDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  const lines = names
    .sort()
    .flatMap((name) => readFileSync(join(configDir, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line.replaceAll(folder, '')));
  return { count, lines, sessions: names.filter((name) => !name.includes('subagents')) };
}

test('creates weeks of sessions, the same for the same seed', () => {
  const { count, lines, sessions } = past(1);
  expect(count).toBe(sessions.length);
  expect(count).toBeGreaterThan(150);
  expect(new Set(lines.map(({ type }) => type))).toEqual(new Set(['user', 'assistant', 'system']));
  const times = lines.map(({ timestamp }) => Date.parse(timestamp));
  expect(Math.max(...times)).toBeLessThan(NOW);
  expect(NOW - Math.min(...times)).toBeGreaterThan(40 * 86_400_000);

  expect(past(1).lines).toEqual(lines);
  expect(past(2).lines).not.toEqual(lines);
});

test('each block of an answer is a line with the usage of the whole answer', () => {
  const { lines } = past(3);
  const usageOf = new Map<string, unknown>();
  let shared = 0;
  for (const { message } of lines.filter(({ type }) => type === 'assistant')) {
    if (usageOf.has(message.id)) shared++;
    expect(usageOf.get(message.id) ?? message.usage).toEqual(message.usage);
    usageOf.set(message.id, message.usage);
  }
  expect(shared).toBeGreaterThan(10);
});
