import { beforeAll, describe, expect, it } from 'vitest';
import type { RuleDecision } from '../../contract/rules.ts';
import { loadBash } from './bash/grammar.ts';
import type { CallToJudge, RulesIo } from './call-facts.ts';
import { TABLE, TABLE_RULES } from './commands.table.ts';
import type { JudgedRule } from './compile-rule.ts';
import { decide } from './decide.ts';
import { InvalidPattern } from './invalid-pattern.ts';
import { RuleSet } from './rule-set.ts';

let io: RulesIo;
let created = 0;

beforeAll(async () => {
  io = { parseBash: await loadBash(), realPath: (path) => path };
});

function rule(decision: RuleDecision, toolName: string, parameters = {}, more: Partial<JudgedRule> = {}): JudgedRule {
  const base = { scope: 'global', priority: 0, enabled: true, reason: '' } as const;
  return { ...base, id: `r${++created}`, createdAt: created, pattern: { toolName, parameters }, decision, ...more };
}
const onBash = (decision: RuleDecision, command: string, more: Partial<JudgedRule> = {}) =>
  rule(decision, 'Bash', { command }, more);

const here = { cwd: '/w/app', project: '/w/app', home: '/home/op', sessionId: 's', now: 1000 };
const judge = (rules: JudgedRule[], call: Partial<CallToJudge> & { toolName: string }) =>
  decide({ ...here, toolInput: {}, ...call }, new RuleSet(rules), io);
const judgeBash = (rules: JudgedRule[], command: string, more: Partial<CallToJudge> = {}) =>
  judge(rules, { toolName: 'Bash', toolInput: { command }, ...more });

describe('the table of commands', () => {
  const kinds = ['deny', 'ask', 'allow'] as const;
  const rules = new RuleSet(kinds.flatMap((kind) => TABLE_RULES[kind].map((command) => onBash(kind, command))));
  for (const [topic, rows] of Object.entries(TABLE)) {
    describe(topic, () => {
      for (const [expected, command] of rows) {
        it(`${expected}: ${JSON.stringify(command).slice(0, 100)}`, () => {
          const { decision, why } = decide({ ...here, toolName: 'Bash', toolInput: { command } }, rules, io);
          expect({ decision, why }).toEqual({ decision: expected, why });
        });
      }
    });
  }

  it('has at least 300 different commands', () => {
    const commands = Object.values(TABLE).flatMap((rows) => rows.map(([, command]) => command));
    expect(new Set(commands).size).toBeGreaterThanOrEqual(300);
  });
});

describe('order', () => {
  const allow = onBash('allow', 'git *', { priority: 1000 });
  const ask = onBash('ask', 'git push *', { priority: 5 });
  const deny = onBash('deny', 'git push --force*', { priority: -1000 });

  it('is deny, ask, allow, whatever the priority', () => {
    expect(judgeBash([allow, ask, deny], 'git push --force')).toMatchObject({ decision: 'deny', rule: deny });
    expect(judgeBash([allow, ask, deny], 'git push')).toMatchObject({ decision: 'ask', rule: ask });
    expect(judgeBash([allow, ask, deny], 'git status')).toMatchObject({ decision: 'allow', rule: allow });
    expect(judgeBash([allow, ask, deny], 'ls')).toEqual({ decision: 'none', why: 'No rule covers `ls`.' });
  });

  it('is by priority inside a kind, then the newest first', () => {
    const low = onBash('ask', 'git *', { priority: 1 });
    const high = onBash('ask', 'git *', { priority: 2 });
    const newer = onBash('ask', 'git *', { priority: 2, createdAt: 10_000 });
    expect(judgeBash([low, high], 'git push').rule).toBe(high);
    expect(judgeBash([newer, low, high], 'git push').rule).toBe(newer);
  });

  it('ignores disabled and expired rules', () => {
    expect(judgeBash([onBash('deny', 'ls', { enabled: false })], 'ls').decision).toBe('none');
    expect(judgeBash([onBash('deny', 'ls', { expiresAt: 1000 })], 'ls').decision).toBe('none');
    expect(judgeBash([onBash('deny', 'ls', { expiresAt: 1001 })], 'ls').decision).toBe('deny');
  });

  it('is the same with many rules as with few', () => {
    const many = Array.from({ length: 500 }, (_, index) => onBash('allow', `tool${index} *`));
    expect(judgeBash([...many, ask, deny, allow], 'git push --force').rule).toBe(deny);
    expect(judgeBash([...many, ask, deny, allow], 'tool77 x && git status').decision).toBe('allow');
    expect(judgeBash([...many, ask, deny, allow], '$TOOL x').rule).toBe(deny);
    expect(judgeBash([...many, onBash('deny', 'rm *')], 'echo $(RM x)').decision).toBe('deny');
  });
});

describe('scopes', () => {
  it('of a session', () => {
    const mine = onBash('deny', 'ls', { scope: 'session', sessionId: 's' });
    expect(judgeBash([mine], 'ls').decision).toBe('deny');
    expect(judgeBash([mine], 'ls', { sessionId: 'other' }).decision).toBe('none');
    expect(judgeBash([onBash('deny', 'ls', { scope: 'session' })], 'ls', { sessionId: undefined }).decision).toBe(
      'none',
    );
  });

  it.each([
    ['/w/app', '/w/app', 'deny'],
    ['/w/app/', '/w/app', 'deny'],
    ['/w/app', '/w/app/packages/a', 'deny'],
    ['/w/app', '/w/app2', 'none'],
    ['/w/app', '/w', 'none'],
    ['/', '/w', 'deny'],
  ])('of the project %s for a session in %s: %s', (project, root, expected) => {
    const rules = [onBash('deny', 'ls', { scope: 'project', project })];
    expect(judgeBash(rules, 'ls', { project: root, cwd: '/elsewhere' }).decision).toBe(expected);
    expect(judgeBash(rules, 'ls', { project: undefined, cwd: root }).decision).toBe(expected);
  });

  it("of a project can't be gained by changing the folder", () => {
    const rules = [onBash('allow', 'npm run *', { scope: 'project', project: '/w/app' })];
    expect(judgeBash(rules, 'npm run x', { project: '/w/evil', cwd: '/w/app' }).decision).toBe('none');
    expect(judgeBash(rules, 'npm run x', { project: '/w/app', cwd: '/w/evil' }).decision).toBe('none');
    expect(judgeBash(rules, 'npm run x', { project: undefined, cwd: undefined }).decision).toBe('none');
  });

  it.each(['deny', 'ask'] as const)('of the project where the session started stay with it: %s', (decision) => {
    const rules = [onBash(decision, 'git push *', { scope: 'project', project: '/w/app' })];
    const moved = { project: '/w/other', cwd: '/w/other' };
    expect(judgeBash(rules, 'git push', { ...moved, startedIn: '/w/app/src' }).decision).toBe(decision);
    expect(judgeBash(rules, 'git push', { ...moved, startedIn: '/w/third' }).decision).toBe('none');
  });

  it("of a project apply in its repository's worktrees, and not outside", () => {
    const inWorktree = { project: '/w/app', checkout: '/w/app-feature', cwd: '/w/app-feature/src' };
    for (const decision of ['allow', 'deny', 'ask'] as const) {
      const rules = [onBash(decision, 'npm run *', { scope: 'project', project: '/w/app' })];
      expect(judgeBash(rules, 'npm run x', inWorktree).decision).toBe(decision);
    }
    const allow = [onBash('allow', 'npm run *', { scope: 'project', project: '/w/app' })];
    expect(judgeBash(allow, 'npm run x', { ...inWorktree, cwd: '/w/app-features' }).decision).toBe('none');
    expect(judgeBash(allow, 'npm run x', { ...inWorktree, project: '/w/other' }).decision).toBe('none');
  });

  it('of the project where the session started allow nothing elsewhere', () => {
    const rules = [onBash('allow', 'npm run *', { scope: 'project', project: '/w/app' })];
    const moved = { project: '/w/other', cwd: '/w/other', startedIn: '/w/app' };
    expect(judgeBash(rules, 'npm run x', moved).decision).toBe('none');
  });
});

describe('tools and parameters', () => {
  const read = (file_path: unknown) => ({ toolName: 'Read', toolInput: { file_path } });

  it('matches names by globs and alternatives', () => {
    expect(judge([rule('deny', 'mcp__github__*')], { toolName: 'mcp__github__list' }).decision).toBe('deny');
    expect(judge([rule('deny', 'Read|Grep')], { toolName: 'Grep' }).decision).toBe('deny');
    expect(judge([rule('deny', '{Read,Write}')], { toolName: 'Write' }).decision).toBe('deny');
    expect(judge([rule('deny', '*')], { toolName: 'Anything' }).decision).toBe('deny');
    expect(judge([rule('deny', 'Read')], { toolName: 'ReadMore' })).toEqual({
      decision: 'none',
      why: 'No rule is about ReadMore.',
    });
  });

  it('applies a rule without parameters to any input', () => {
    expect(judgeBash([rule('allow', 'Bash')], 'anything $(at all) > here').decision).toBe('allow');
    expect(judgeBash([rule('allow', 'Bash'), onBash('deny', 'rm *')], 'ls; rm x').decision).toBe('deny');
  });

  it('does not match a parameter that is missing or not text', () => {
    const rules = [rule('allow', 'Read', { file_path: './**' })];
    expect(judge(rules, read('/w/app/a.ts')).decision).toBe('allow');
    expect(judge(rules, { toolName: 'Read' }).decision).toBe('none');
    for (const odd of [null, { a: 1 }, [], ['/w/app/a', null]]) {
      expect(judge(rules, read(odd)).decision).not.toBe('allow');
    }
  });

  it('needs every parameter of a pattern', () => {
    const rules = [rule('allow', 'Task', { kind: 'explore', prompt: 'find *' })];
    expect(judge(rules, { toolName: 'Task', toolInput: { kind: 'explore', prompt: 'find it' } }).decision).toBe(
      'allow',
    );
    expect(judge(rules, { toolName: 'Task', toolInput: { kind: 'explore', prompt: 'break it' } }).decision).toBe(
      'none',
    );
    expect(judge(rules, { toolName: 'Task', toolInput: { prompt: 'find it' } }).decision).toBe('none');
  });

  it('reaches nested parameters and lists: all items for allow, one for deny', () => {
    const call = (...paths: string[]) => ({
      toolName: 'mcp__fs__move',
      toolInput: { edits: paths.map((path) => ({ path })) },
    });
    const allow = rule('allow', 'mcp__fs__*', { 'edits.path': './**' });
    const deny = rule('deny', 'mcp__fs__*', { 'edits.path': '/etc/**' });
    expect(judge([allow], call('/w/app/a', '/w/app/b')).decision).toBe('allow');
    expect(judge([allow], call('/w/app/a', '/etc/passwd')).decision).toBe('none');
    expect(judge([deny], call('/w/app/a', '/etc/passwd')).decision).toBe('deny');
    expect(judge([rule('deny', '*', { 'edits.1.path': '/etc/**' })], call('/a', '/etc/x')).decision).toBe('deny');
    expect(
      judge([allow], { toolName: 'mcp__fs__x', toolInput: { 'edits.path': '/w/app/a', edits: { path: '/etc' } } })
        .decision,
    ).toBe('none');
  });

  it('follows paths before it matches them', () => {
    const links: RulesIo = { ...io, realPath: (path) => path.replace(/^\/w\/app\/link/, '/etc') };
    const rules = new RuleSet([
      rule('allow', 'Read', { file_path: './**' }),
      rule('deny', 'Read', { file_path: '.env' }),
    ]);
    const decision = (path: string) => decide({ ...here, ...read(path) }, rules, links).decision;
    expect(decision('/w/app/src/a.ts')).toBe('allow');
    expect(decision('src/a.ts')).toBe('allow');
    expect(decision('/w/app/../../etc/passwd')).toBe('none');
    expect(decision('/w/app/link/passwd')).toBe('none');
    expect(decision('/w/app/.ENV')).toBe('deny');
    expect(decision('~root/a.ts')).toBe('ask');
  });

  it('uses the session’s folder if Grep has none', () => {
    const rules = [rule('allow', 'Grep', { path: './**' })];
    expect(judge(rules, { toolName: 'Grep', toolInput: { pattern: 'x' } }).decision).toBe('allow');
    expect(judge(rules, { toolName: 'Grep', toolInput: { pattern: 'x' }, cwd: '/etc' }).decision).toBe('none');
  });

  it('treats a notebook as a file', () => {
    const edit = { toolName: 'NotebookEdit', toolInput: { notebook_path: '/w/app/.env', new_source: 'x' } };
    expect(judge([rule('deny', 'NotebookEdit', { file_path: '.env' })], edit).decision).toBe('deny');
    expect(judge([rule('deny', 'Edit|NotebookEdit', { file_path: '/w/**' })], edit).decision).toBe('deny');
    expect(judge([rule('allow', 'NotebookEdit', { file_path: './**' })], edit).decision).toBe('allow');
    const both = { ...edit, toolInput: { ...edit.toolInput, file_path: '/etc/x' } };
    expect(judge([rule('deny', 'NotebookEdit', { file_path: '/etc/**' })], both).decision).toBe('deny');
    expect(judge([rule('allow', 'NotebookEdit', { file_path: './**' })], both).decision).toBe('none');
  });

  it.each([
    ['allow', { path: './**' }, { pattern: '**/*.ts' }, 'allow'],
    ['allow', { path: './**' }, { pattern: 'src/*.ts', path: '/w/app/packages' }, 'allow'],
    ['allow', { path: './**' }, { pattern: '/etc/*' }, 'none'],
    ['allow', { path: './**' }, { pattern: '../../etc/*' }, 'none'],
    ['allow', { path: './**' }, { pattern: '*/../../etc/*' }, 'ask'],
    ['allow', { path: './**' }, { pattern: '{src,/etc}/*' }, 'none'],
    ['allow', { path: './**' }, { pattern: '*', path: '/etc' }, 'none'],
    ['allow', { path: 'src/**' }, { pattern: 'src/**/*.ts' }, 'allow'],
    ['allow', { pattern: 'src/**' }, { pattern: 'src/a/*' }, 'allow'],
    ['allow', { pattern: 'src/**' }, { pattern: 'src/../../etc/*' }, 'none'],
    ['allow', { pattern: '*' }, { pattern: '/etc/*' }, 'allow'],
    ['deny', { path: '~/.ssh/**' }, { pattern: '/home/op/.ssh/*' }, 'deny'],
    ['deny', { path: '~/.ssh/**' }, { pattern: '.ssh/*', path: '~' }, 'deny'],
    ['deny', { path: '~/.ssh/**' }, { pattern: '**/.ssh/*', path: '/home/op' }, 'deny'],
    ['deny', { file_path: '.env' }, { pattern: '**/.env' }, 'deny'],
    ['deny', { path: '.env' }, { pattern: '**/{.env,x}' }, 'deny'],
    ['deny', { path: '.env' }, { pattern: '**/.e*' }, 'ask'],
    ['deny', { path: '.env' }, { pattern: '**/*.ts' }, 'none'],
    ['deny', { path: '.env' }, { pattern: '**/*' }, 'none'],
    ['deny', { pattern: '/etc/**' }, { pattern: '../../etc/*.conf' }, 'deny'],
    ['deny', { path: '.env' }, { pattern: 7 }, 'none'],
    ['deny', { path: '.env' }, { pattern: ['a', '**/.env'] }, 'deny'],
  ] as const)('treats a Glob pattern as a path: %s %j, %j is %s', (decision, parameters, toolInput, expected) => {
    expect(judge([rule(decision, 'Glob', parameters)], { toolName: 'Glob', toolInput }).decision).toBe(expected);
  });

  it('keeps a rule inside the sandbox unless it says otherwise', () => {
    const unsafe = { command: 'npm run x', dangerouslyDisableSandbox: true };
    const call = (toolInput: Record<string, unknown>) => ({ toolName: 'Bash', toolInput });
    expect(judge([onBash('allow', 'npm run *')], call(unsafe)).decision).toBe('ask');
    expect(judge([rule('allow', 'Bash')], call(unsafe)).decision).toBe('ask');
    expect(judge([onBash('allow', 'npm run *')], call({ ...unsafe, dangerouslyDisableSandbox: false })).decision).toBe(
      'allow',
    );
    const named = rule('allow', 'Bash', { command: 'npm run *', dangerouslyDisableSandbox: 'true' });
    expect(judge([named], call(unsafe)).decision).toBe('allow');
    expect(
      judge([rule('allow', 'Agent')], { toolName: 'Agent', toolInput: { mode: 'bypassPermissions' } }).decision,
    ).toBe('ask');
  });

  it('does not mistake one command for many, or another language for shell', () => {
    const rules = [rule('allow', '*', { command: 'npm run *' })];
    expect(judge(rules, { toolName: 'Bash', toolInput: { command: ['npm run x', 'evil'] } }).decision).not.toBe(
      'allow',
    );
    expect(judge(rules, { toolName: 'mcp__shell__run', toolInput: { command: 'npm run x; evil' } }).decision).toBe(
      'none',
    );
    expect(judge(rules, { toolName: 'PowerShell', toolInput: { command: 'npm run x' } }).decision).toBe('ask');
  });

  it('inspects long text as far as it can, and asks about the rest', () => {
    const rules = [rule('deny', 'Write', { content: '*secret*' }), rule('allow', 'Write', { content: 'a*' })];
    const write = (content: string) => judge(rules, { toolName: 'Write', toolInput: { content } }).decision;
    expect(write('a short text')).toBe('allow');
    expect(write(`a ${'x'.repeat(50_000)} secret`)).toBe('deny');
    expect(write(`a ${'x'.repeat(50_000)}`)).toBe('allow');
    expect(write(`a ${'x'.repeat(100_000)}`)).toBe('ask');
  });

  it('matches a deny against the whole text too', () => {
    expect(judgeBash([onBash('deny', '*> /etc/*')], 'echo x > /etc/passwd').decision).toBe('deny');
    expect(judgeBash([onBash('deny', 'cat /etc/*')], 'cat ../../etc/passwd').decision).toBe('deny');
    expect(judgeBash([onBash('deny', 'cat /home/op/.ssh/*')], 'cat ~/.ssh/id_rsa').decision).toBe('deny');
    expect(judgeBash([onBash('deny', 'cat /home/op/.ssh/*')], 'cat "$HOME/.ssh/id_rsa"').decision).toBe('deny');
  });

  it('refuses an invalid rule', () => {
    expect(() => new RuleSet([onBash('allow', 'a||b')])).toThrow(InvalidPattern);
    expect(() => new RuleSet([rule('allow', 'X', { command: 'a', cmd: 'b' })])).toThrow(InvalidPattern);
  });
});

describe('the sentence says why', () => {
  const npm = onBash('allow', 'npm run *', { reason: 'Scripts' });
  const rm = onBash('deny', 'rm *');
  it.each([
    ['npm run a', 'Allowed: `npm run a` by rule “Scripts”.'],
    ['npm run a && npm run b', 'Allowed: `npm run a` by rule “Scripts”, `npm run b` by rule “Scripts”.'],
    ['npm run a; whoami', 'No rule covers `whoami`.'],
    ['npm run a; sudo rm x', 'Denied by rule “Bash: rm *”: `rm x` matches `rm *`.'],
    [
      'npm run "$X"',
      'Asked: rule “Scripts” may be meant, but `…` is not known to be harmless, so a wildcard does not cover it.',
    ],
    ['$X y', 'Asked: rule “Bash: rm *” may apply, since the name of a command is not spelled out.'],
    ['npm run a > f', 'Asked: rule “Scripts” may be meant, but it writes to a file (`> f`).'],
    [
      'npm run a --prefix /tmp/x',
      'Asked: rule “Scripts” may be meant, but `--prefix` works in another folder, which a wildcard does not cover.',
    ],
    ['python3 -c "os.system(\'rm x\')"', 'Denied by rule “Bash: rm *”: `rm x` matches `rm *`.'],
    ['python3 -c "from x import rm"', 'Asked: rule “Bash: rm *” may apply, since it runs code in another language.'],
  ])('%s', (command, why) => expect(judgeBash([npm, rm], command).why).toBe(why));

  it('for other tools', () => {
    const file = rule('deny', 'Read', { file_path: '.env' });
    const call = { toolName: 'Read', toolInput: { file_path: '/w/app/.env' } };
    expect(judge([file], call).why).toBe('Denied by rule “Read: .env”: file_path `/w/app/.env` matches `.env`.');
    expect(judge([rule('ask', 'Read')], call).why).toBe('Asked by rule “Read”: it is about every Read.');
  });
});

describe('helpers next to an allowed command', () => {
  const allow = onBash('allow', 'npm test *');

  it('need no separate rule', () => {
    expect(judgeBash([allow], 'npm test 2>&1 | tail -40 || true')).toEqual({
      decision: 'allow',
      rule: allow,
      why: 'Allowed: `npm test` by rule “Bash: npm test *”; `tail -40`, `true` beside it only prints.',
    });
    expect(judgeBash([allow], 'tail -40')).toMatchObject({ decision: 'none' });
    expect(judgeBash([allow], 'npm test | tee out')).toMatchObject({ decision: 'none' });
  });

  it('are still asked or denied by a rule about them', () => {
    expect(judgeBash([allow, onBash('deny', 'tail *')], 'npm test | tail -40')).toMatchObject({ decision: 'deny' });
    expect(judgeBash([allow, onBash('ask', 'echo *')], 'npm test; echo x')).toMatchObject({ decision: 'ask' });
  });
});

describe('suspects', () => {
  it('are named together with the rule', () => {
    const deny = onBash('deny', 'git push *');
    expect(judgeBash([deny], 'mytool --run git push --force')).toMatchObject({
      decision: 'ask',
      why: 'Asked: rule “Bash: git push *” may apply, since it may run `git push --force`.',
    });
  });
});

describe('several heredocs in one line', () => {
  const rules = [onBash('allow', 'cat *'), onBash('deny', 'rm *')];
  it.each([
    ["cat <<'A' <<'B'\na rm x\nA\nb\nB", 'allow'],
    ["cat <<'A'; cat <<'B'\na\nA\nrm x\nB\ncat x", 'allow'],
    ["cat <<'A'; cat <<'B'\na\nA\nb\nB\nrm x", 'deny'],
    ["cat <<'A'; rm x <<'B'\na\nA\nb\nB", 'deny'],
    ["cat <<'A'; sh <<'B'\na\nA\nrm x\nB", 'deny'],
    ["cat <<'A'; cat <<B\na\nA\n$(rm x)\nB", 'deny'],
  ])('%j: %s', (command, decision) => expect(judgeBash(rules, command)).toMatchObject({ decision }));
});

describe('an address with a wildcard', () => {
  const rules = [onBash('allow', 'curl -s http://localhost:*')];
  it.each([
    ['curl -s http://localhost:3000/api/x', 'allow'],
    ['curl -s http://localhost:80@elsewhere.example/x', 'ask'],
    ['curl -s http://localhost:80%40elsewhere.example/x', 'ask'],
  ])('%s: %s', (command, decision) => expect(judgeBash(rules, command)).toMatchObject({ decision }));
});

it('an unknown option may take `--` as its value', () => {
  const rules = [onBash('allow', 'git grep *')];
  expect(judgeBash(rules, 'git grep -n x -- src')).toMatchObject({ decision: 'allow' });
  expect(judgeBash(rules, 'git grep -e -- --open-files-in-pager=./x -e y b')).toMatchObject({ decision: 'ask' });
});
