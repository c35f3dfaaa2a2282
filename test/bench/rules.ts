import { loadBash } from '../../src/daemon/rules/bash/grammar.ts';
import type { RulesIo } from '../../src/daemon/rules/call-facts.ts';
import type { JudgedRule } from '../../src/daemon/rules/compile-rule.ts';
import { decide } from '../../src/daemon/rules/decide.ts';
import { RuleSet } from '../../src/daemon/rules/rule-set.ts';

// npm run bench rules: 10,000 rules against one call, and the worst patterns against the worst texts, each beside what
// the machine needs at the same moment to parse the same call as JSON

const RULES = 10_000;
const ROUNDS = 3_000;

const io: RulesIo = { parseBash: await loadBash(), realPath: (path) => path };
const here = { cwd: '/w/app', project: '/w/app', home: '/home/op', sessionId: 's', now: 1 };

type Pattern = Record<string, string>;

function rulesOf(make: (index: number) => { toolName: string; parameters: Pattern }): RuleSet {
  const rules = Array.from({ length: RULES }, (_, index): JudgedRule => {
    const decision = (['allow', 'deny', 'ask'] as const)[index % 3]!;
    const base = { id: `r${index}`, scope: 'global', priority: index % 7, enabled: true, reason: '' } as const;
    return { ...base, pattern: make(index), decision, createdAt: index };
  });
  return new RuleSet(rules);
}

const bash = (make: (index: number) => string) => (index: number) => ({
  toolName: 'Bash',
  parameters: { command: make(index) },
});
const read = (make: (index: number) => string) => (index: number) => ({
  toolName: 'Read',
  parameters: { file_path: make(index) },
});
const call = (command: string) => ({ toolName: 'Bash', toolInput: { command } });

const sets: Record<string, RuleSet> = {
  'by program': rulesOf(bash((index) => `tool${index} *`)),
  'by argument': rulesOf(bash((index) => `git push origin branch-${index}*`)),
  'by any part': rulesOf(bash((index) => `*word${index}*`)),
  'by path': rulesOf(read((index) => `/w/app/**/file${index}.ts`)),
  'by tool': rulesOf((index) => ({ toolName: `mcp__server${index}__*`, parameters: {} })),
};

const cases: [string, string, { toolName: string; toolInput: Record<string, unknown> }][] = [
  ['by program', 'one command', call('tool7 run build')],
  ['by program', 'a chain of five', call('tool1 a && tool2 b | tool4 c; tool7 d || tool9999 e')],
  ['by program', 'a substitution', call('tool7 run "$(date)"')],
  ['by program', 'a program not known', call('$TOOL run build')],
  ['by argument', 'one command', call('git push origin branch-77 --dry-run')],
  ['by argument', 'a variable', call('git push origin "$BRANCH"')],
  ['by any part', 'one command', call('npm run build -- word123 and more')],
  ['by any part', 'a variable', call('npm run build -- "$WORD"')],
  ['by path', 'one file', { toolName: 'Read', toolInput: { file_path: '/w/app/src/deep/down/file77.ts' } }],
  ['by tool', 'one call', { toolName: 'mcp__server77__list', toolInput: {} }],
];

process.stdout.write(`${RULES} rules × one call, microseconds, ${ROUNDS} rounds\n`);
row('rules', 'call', 'p50', 'p99', 'max', 'JSON p50', 'JSON p99');
for (const [name, label, each] of cases) {
  const json = JSON.stringify({ ...here, ...each });
  const rules = sets[name]!;
  const times = measure(
    () => decide({ ...here, ...each }, rules, io),
    () => JSON.parse(json),
  );
  row(name, label, ...times.work, ...times.baseline.slice(0, 2));
}

const long = 'a'.repeat(60_000);
const worst: [string, string, string][] = [
  ['stars and letters', `${'*a'.repeat(248)}*b*`, long],
  ['a long needle', `*${'a'.repeat(490)}b*`, long],
  ['question marks', `*${'?'.repeat(30)}*${'a'.repeat(28)}b?*`, long],
  ['alternatives', `{${Array.from({ length: 32 }, () => `*a*aaaaa*b*`).join(',')}}`, long],
  ['nested braces', '{a,{b,{c,{d,{e,{f,*a*a*a*a*a*a*b}}}}}}*', long],
  ['deep path', '/**/a/**/a/**/a/**/b', `/${'a/'.repeat(2000)}`],
];
process.stdout.write('\nthe worst patterns, one rule, microseconds\n');
row('pattern', 'text', 'p50', 'p99', 'max', 'JSON p50', 'JSON p99');
for (const [label, pattern, text] of worst) {
  const key = pattern.startsWith('/') ? 'file_path' : 'content';
  const rules = new RuleSet([
    {
      id: 'r',
      scope: 'global',
      priority: 0,
      enabled: true,
      reason: '',
      createdAt: 0,
      decision: 'deny',
      pattern: { toolName: 'Write', parameters: { [key]: pattern } },
    },
  ]);
  const each = { toolName: 'Write', toolInput: { [key]: text } };
  const json = JSON.stringify({ ...here, ...each });
  const times = measure(
    () => decide({ ...here, ...each }, rules, io),
    () => JSON.parse(json),
    300,
  );
  row(label, `${text.length} characters`, ...times.work, ...times.baseline.slice(0, 2));
}

function measure(work: () => unknown, baseline: () => unknown, rounds = ROUNDS) {
  const times: { work: number[]; baseline: number[] } = { work: [], baseline: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of [
      ['work', work],
      ['baseline', baseline],
    ] as const) {
      const start = performance.now();
      run();
      times[name].push((performance.now() - start) * 1000);
    }
  }
  const summary = (all: number[]) => {
    const sorted = all.slice(rounds / 10).sort((a, b) => a - b);
    return [0.5, 0.99, 1].map((part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!);
  };
  return { work: summary(times.work), baseline: summary(times.baseline) };
}

function row(name: string, label: string, ...values: (number | string)[]): void {
  const cells = values.map((value) => (typeof value === 'number' ? value.toFixed(1) : value).padStart(10));
  process.stdout.write(`${name.padEnd(20)}${label.padEnd(24)}${cells.join('')}\n`);
}
