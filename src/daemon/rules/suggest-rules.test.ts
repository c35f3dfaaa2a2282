import { beforeAll, describe, expect, it } from 'vitest';
import { RuleDraft } from '../../contract/rules.ts';
import { loadBash } from './bash/grammar.ts';
import type { RulesIo } from './call-facts.ts';
import { decide } from './decide.ts';
import { RuleSet } from './rule-set.ts';
import type { ShapedCall } from './shape.ts';
import { suggestRules } from './suggest-rules.ts';

let io: RulesIo;
beforeAll(async () => {
  io = { parseBash: await loadBash(), realPath: (path) => path };
});

const bash = (...commands: string[]): ShapedCall[] =>
  commands.map((command) => ({ toolName: 'Bash', toolInput: { command } }));
const edit = (...paths: string[]): ShapedCall[] =>
  paths.map((file_path) => ({ toolName: 'Edit', toolInput: { file_path } }));
const times = (count: number, call: ShapedCall) => Array.from({ length: count }, () => call);
const suggest = (calls: ShapedCall[], rules = new RuleSet([])) => suggestRules(calls, { rules, io, now: 1 });
const patterns = (calls: ShapedCall[]) =>
  suggest(calls).map(({ draft }) => Object.values(draft.pattern.parameters).join());

describe('suggestions', () => {
  it('are the exact command if it is always the same', () => {
    expect(suggest(bash('npm run test', 'npm run test', 'npm run test'))).toEqual([
      {
        draft: {
          scope: 'global',
          priority: 0,
          enabled: true,
          pattern: { toolName: 'Bash', parameters: { command: 'npm run test' } },
          decision: 'allow',
          reason: 'Approved 3 times',
        },
        text: expect.stringContaining('`npm run test`'),
        shape: 'npm run *',
        approvals: 3,
        examples: ['{"command":"npm run test"}'],
      },
    ]);
  });

  it('are the shape if the commands differ and the program only reads, builds or tests', () => {
    expect(patterns(bash('npm run a', 'npm run b', 'npm run c'))).toEqual(['npm run *']);
    expect(patterns(bash('git log -1', 'git log -2', 'git log -3'))).toEqual(['git log *']);
    expect(patterns(bash('just a', 'just b', 'just c'))).toEqual([]);
    expect(patterns(bash('./x', 'just a', 'just a', 'just a', 'just b'))).toEqual(['just a']);
  });

  it('need three approvals that no rule covers yet', () => {
    expect(suggest(bash('npm run a', 'npm run a'))).toEqual([]);
    const draft = RuleDraft.parse({ pattern: { toolName: 'Bash', parameters: { command: 'npm *' } }, decision: 'ask' });
    const rules = new RuleSet([{ ...draft, id: 'r', createdAt: 0 }]);
    expect(suggest(bash('npm run a', 'npm run a', 'npm run a'), rules)).toEqual([]);
  });

  it.each([
    ...['bash x.sh', 'zsh', 'python3 a.py', 'python3.11 -c x', 'node a.js', 'perl -e x', 'ruby x', 'php x', 'awk x y'],
    ...['sed -i x y', 'osascript -e x', 'git', 'git push', 'git reset --hard', 'git -c a=b log', 'git config a b'],
    ...['rm x', 'rm -rf build', 'sudo npm run x', 'curl https://x', 'wget x', 'npm install x', 'npm i x', 'npx x'],
    ...[
      'pip install x',
      'docker run x',
      'ssh host',
      'kubectl get pods',
      'find . -name x',
      'xargs rm',
      'eval x',
      'mv a b',
    ],
    ...['chmod 777 x', '/tmp/x', './x.sh', 'npm run x $(y)', 'npm run x > y', 'env X=1 npm run y', 'gh pr merge 1'],
    ...['cargo install x', 'go run x', 'kill 1', 'make x && rm y', 'npm run x --prefix y', 'git log --output=x'],
  ])('are never made for %s', (command) => {
    expect(patterns(bash(...[1, 1, 1, 2, 3].flatMap((count) => [command, `${command} ${count}`])))).toEqual([]);
  });

  it('are narrow for files, and none for what is sensitive or executed later', () => {
    expect(patterns(edit('/w/app/src/a.ts', '/w/app/src/b.ts', '/w/app/src/c.ts'))).toEqual(['/w/app/src/*.ts']);
    expect(patterns(edit('/w/app/a.json', '/w/app/b.json', '/w/app/c.json'))).toEqual([]);
    for (const path of ['/w/app/package.json', '/w/app/.env', '/w/app/.github/x.yml', '/home/op/.ssh/config', 'a.ts']) {
      expect(patterns(times(3, edit(path)[0]!))).toEqual([]);
    }
  });

  it('are made for pages of a site and for read-only tools', () => {
    const pages = ['a', 'b', 'c'].map((page) => ({
      toolName: 'WebFetch',
      toolInput: { url: `https://docs.x.com/${page}` },
    }));
    expect(patterns(pages)).toEqual(['https://docs.x.com/*']);
    expect(suggest(times(3, { toolName: 'mcp__x__list_issues', toolInput: { page: 1 } }))).toHaveLength(1);
    expect(suggest(times(3, { toolName: 'mcp__x__delete_issue', toolInput: { id: 1 } }))).toEqual([]);
    expect(suggest(times(3, { toolName: 'Agent', toolInput: {} }))).toEqual([]);
  });

  it('would have allowed the calls they came from', () => {
    const calls = [
      ...bash('npm run a', 'npm run "b c"', 'npm run d -- -x', 'git status', 'git status', 'git status'),
      ...bash('ls a', 'ls b', 'ls c', ...Array.from({ length: 3 }, () => "just 'a|b' {}")),
    ];
    const suggestions = suggest(calls);
    expect(suggestions).toHaveLength(4);
    const rules = new RuleSet(suggestions.map(({ draft }, index) => ({ ...draft, id: `${index}`, createdAt: index })));
    for (const call of calls) expect(decide({ ...call, now: 1 }, rules, io).decision).toBe('allow');
  });
});
