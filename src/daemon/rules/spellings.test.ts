import { beforeAll, describe, expect, it } from 'vitest';
import type { RuleDecision } from '../../contract/rules.ts';
import { loadBash } from './bash/grammar.ts';
import type { RulesIo } from './call-facts.ts';
import type { JudgedRule } from './compile-rule.ts';
import { decide } from './decide.ts';
import { DENIED } from './denied.table.ts';
import { DENIED_FOURTH } from './denied-fourth.table.ts';
import { DENIED_FRESH } from './denied-fresh.table.ts';
import { DENIED_THIRD } from './denied-third.table.ts';
import { EVERYDAY } from './everyday.table.ts';
import { EVERYDAY_FOURTH } from './everyday-fourth.table.ts';
import { EVERYDAY_FRESH } from './everyday-fresh.table.ts';
import { EVERYDAY_THIRD } from './everyday-third.table.ts';
import { RuleSet } from './rule-set.ts';

let io: RulesIo;
beforeAll(async () => {
  io = { parseBash: await loadBash(), realPath: (path) => path };
});

const rule = (decision: RuleDecision, command: string): JudgedRule => ({
  ...{ id: `${decision} ${command}`, scope: 'global', priority: 0, enabled: true, reason: '', createdAt: 0, decision },
  pattern: { toolName: 'Bash', parameters: { command } },
});
const here = { cwd: '/w/app', project: '/w/app', home: '/home/op', now: 1, toolName: 'Bash' };
const judge = (command: string, rules: JudgedRule[]) =>
  decide({ ...here, toolInput: { command } }, new RuleSet(rules), io).decision;

/** What an operator who denies one thing may well allow besides. */
const GENEROUS = (
  'git *|npm *|npx *|pnpm *|yarn *|docker *|docker-compose *|kubectl *|helm *|terraform *|cargo *|go *|pip *|pip3 *|uv *|' +
  'poetry *|gh *|aws *|gcloud *|make *|systemctl *|apt *|apt-get *|brew *|python3 *|python *|node *|bash *|sh *|ssh *|find *|' +
  'env *|timeout *|watch *|xargs *|sed *|awk *|sort *|tar *|ls *|cat *|echo *|printf *|cd *|true|test *'
).split('|');

describe.each([
  ['the spellings the rules were made with', DENIED, 0],
  ['a second set of spellings', DENIED_FRESH, 0.05],
  ['a third set of spellings', DENIED_THIRD, 0.05],
  ['a fourth set of spellings', DENIED_FOURTH, 0.05],
])('a deny holds for %s', (_, table, missed) => {
  const rows = Object.entries(table).flatMap(([pattern, commands]) =>
    commands.map((command) => ({ pattern, command })),
  );

  it('misses at most a few', () => {
    const none = rows.filter(({ pattern, command }) => judge(command, [rule('deny', pattern)]) === 'none');
    expect(none.length / rows.length, JSON.stringify(none, null, 1)).toBeLessThanOrEqual(missed);
  });

  it('and nothing allowed besides lets one through', () => {
    const allows = GENEROUS.map((command) => rule('allow', command));
    const allowed = rows.filter(
      ({ pattern, command }) => judge(command, [rule('deny', pattern), ...allows]) === 'allow',
    );
    expect(allowed).toEqual([]);
  });

  it('and an allow of everything lets next to nothing through', () => {
    const passes = (allow: JudgedRule) =>
      rows.filter(({ pattern, command }) => judge(command, [rule('deny', pattern), allow]) === 'allow');
    expect(passes(rule('allow', '*'))).toEqual([]);
    const bare = { ...rule('allow', '*'), pattern: { toolName: 'Bash', parameters: {} } };
    expect(passes(bare).length / rows.length, JSON.stringify(passes(bare), null, 1)).toBeLessThanOrEqual(missed);
  });
});

describe.each([
  ['the commands the rules were made with', EVERYDAY],
  ['a second set of commands', EVERYDAY_FRESH],
  ['a third set of commands', EVERYDAY_THIRD],
  ['a fourth set of commands', EVERYDAY_FOURTH],
])('an ordinary day, %s', (_, table) => {
  /** Rules that most operators have in addition to their allows. */
  const careful = [
    rule('deny', 'git push {-f,--force}*|git push * {-f,--force}*'),
    rule('deny', 'rm -rf *'),
    rule('ask', 'git push *'),
    rule('ask', '{npm,pnpm,yarn,cargo} publish *'),
    rule('deny', 'sudo *'),
  ];

  it.each(table)('%j allows %j', (patterns, command) => {
    expect(judge(command, [...careful, ...patterns.map((pattern) => rule('allow', pattern))])).toBe('allow');
  });
});
