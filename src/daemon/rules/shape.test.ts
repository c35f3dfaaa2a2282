import { beforeAll, describe, expect, it } from 'vitest';
import { shapePattern } from '../../contract/call-shape.ts';
import { loadBash } from './bash/grammar.ts';
import type { RulesIo } from './call-facts.ts';
import { decide } from './decide.ts';
import { RuleSet } from './rule-set.ts';
import { exactPattern, type ShapedCall, shapeOf } from './shape.ts';

let io: RulesIo;
beforeAll(async () => {
  io = { parseBash: await loadBash(), realPath: (path) => path };
});

const bash = (command: string): ShapedCall => ({ toolName: 'Bash', toolInput: { command } });
const edit = (file_path: string): ShapedCall => ({ toolName: 'Edit', toolInput: { file_path } });

describe('the shape of a call', () => {
  it.each([
    ['npm run build', 'npm run *'],
    ['npm run test -- --watch', 'npm run *'],
    ['npm test', 'npm test'],
    ['git status', 'git status'],
    ['git log -5', 'git log *'],
    ['git -C x log', 'git *'],
    ['make all', 'make all'],
    ['ls -la', 'ls *'],
    ['timeout 5 npm run x', 'npm run *'],
    ['python3 -m pytest -q', 'python3 -m pytest *'],
    ['npm run a && npm run b', 'npm run *'],
    ["'a b' c", 'a\\ b *'],
    ['cd src && npm  run x', 'cd src && npm run x'],
    ['cat a | tee b', 'cat a \\| tee b'],
    ['echo $(date) > x*', 'echo $(date) > x\\*'],
  ])('%s is %s', (command, shape) => expect(shapeOf(bash(command))).toBe(shape));

  it('of files is their folder and kind, of pages their site', () => {
    expect(shapeOf(edit('/w/app/{src}/a.ts'))).toBe('/w/app/\\{src\\}/*.ts');
    expect(shapeOf(edit('/a'))).toBe('/*');
    expect(shapeOf({ toolName: 'WebFetch', toolInput: { url: 'https://a.com/x?y' } })).toBe('https://a.com/*');
    expect(shapeOf({ toolName: 'mcp__x__list', toolInput: { q: 1 } })).toBe('*');
  });

  it.each([
    bash('npm run x'),
    bash('cat a | tee b'),
    bash('echo $(date) > x*'),
    bash(`cat <<E\n${'x '.repeat(600)}\nE`),
    edit('/w/app/{a,b}/x.ts'),
    { toolName: 'WebFetch', toolInput: { url: 'https://a.com/x' } },
    { toolName: 'mcp__x__y', toolInput: { q: 1 } },
  ])('makes a deny that catches the call: %j', (call) => {
    const draft = { scope: 'global', priority: 0, enabled: true, reason: '', id: 'r', createdAt: 0 } as const;
    const rule = { ...draft, decision: 'deny', pattern: shapePattern(call.toolName, shapeOf(call)) } as const;
    expect(decide({ ...call, cwd: '/w/app', now: 1 }, new RuleSet([rule]), io).decision).toBe('deny');
  });

  it('can be narrowed to the call itself', () => {
    expect(exactPattern(bash('npm run "a b" {}'))?.parameters).toEqual({ command: 'npm run a\\ b \\{\\}' });
    expect(exactPattern(edit('/w/a,b.ts'))?.parameters).toEqual({ file_path: '/w/a\\,b.ts' });
    expect(exactPattern(bash('npm run a && npm run b'))).toBeUndefined();
    expect(exactPattern(bash('npm run *'))).toBeUndefined();
    expect(exactPattern({ toolName: 'mcp__x__y', toolInput: {} })).toBeUndefined();
  });
});
