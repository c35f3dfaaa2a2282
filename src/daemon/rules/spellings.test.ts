import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RuleDecision } from '../../contract/rules.ts';
import { loadBash } from './bash/grammar.ts';
import type { RulesIo } from './call-facts.ts';
import type { JudgedRule } from './compile-rule.ts';
import { decide } from './decide.ts';
import { RuleSet } from './rule-set.ts';

let io: RulesIo;
beforeAll(async () => {
  io = {
    parseBash: await loadBash(),
    realPath: (path) => path,
    namesIn: () => ['a.md', 'b.png'],
    branchOf: () => 'main',
  };
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

const FOLDER = join(import.meta.dirname, 'spellings');
const setsOf = (kind: string) => readdirSync(FOLDER).filter((name) => name.startsWith(`${kind}-`));
/** The lines of a set, without its notes. ⏎ stands for a line break. */
const linesOf = (name: string) =>
  readFileSync(join(FOLDER, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('// '))
    .map((line) => line.replaceAll('⏎', '\n'));

/** Spellings below the pattern that denies them. */
function deniedRows(name: string): { pattern: string; command: string }[] {
  let pattern = '';
  return linesOf(name).flatMap((line) => {
    if (!line.startsWith('# ')) return [{ pattern, command: line }];
    pattern = line.slice(2);
    return [];
  });
}

/** `rule + rule => command` */
function everydayRows(name: string): [patterns: string[], command: string][] {
  return linesOf(name).map((line) => {
    const at = line.indexOf(' => ');
    return [line.slice(0, at).split(' + '), line.slice(at + 4)];
  });
}

describe.each(setsOf('denied'))('a deny rule covers the spellings in %s', (name) => {
  const rows = deniedRows(name);
  // the rules were made with the first set; of those that were new to them, a few may be missed
  const missed = name === 'denied-1.txt' ? 0 : 0.05;

  it('misses at most a few', () => {
    const none = rows.filter(({ pattern, command }) => judge(command, [rule('deny', pattern)]) === 'none');
    expect(none.length / rows.length, JSON.stringify(none, null, 1)).toBeLessThanOrEqual(missed);
  });

  it('and no other allow rule covers one of them', () => {
    const allows = GENEROUS.map((command) => rule('allow', command));
    const allowed = rows.filter(
      ({ pattern, command }) => judge(command, [rule('deny', pattern), ...allows]) === 'allow',
    );
    expect(allowed).toEqual([]);
  });

  it('and almost nothing passes under an allow for everything', () => {
    const passes = (allow: JudgedRule) =>
      rows.filter(({ pattern, command }) => judge(command, [rule('deny', pattern), allow]) === 'allow');
    expect(passes(rule('allow', '*'))).toEqual([]);
    const bare = { ...rule('allow', '*'), pattern: { toolName: 'Bash', parameters: {} } };
    expect(passes(bare).length / rows.length, JSON.stringify(passes(bare), null, 1)).toBeLessThanOrEqual(missed);
  });
});

/** Some sets were written for an operator who also allows what only reads. */
const HELPERS = 'head *|tail *|grep *|wc *|sort *|cat *|ls *|cd *|echo *|true';
const besides = (name: string) =>
  readFileSync(join(FOLDER, name), 'utf8').startsWith('// beside the read-only helpers') ? HELPERS.split('|') : [];

describe.each(setsOf('everyday'))('an ordinary day, %s', (name) => {
  /** Rules that most operators have in addition to their allows. */
  const careful = [
    rule('deny', 'git push {-f,--force}*|git push * {-f,--force}*'),
    rule('deny', 'rm -rf *'),
    rule('ask', 'git push *'),
    rule('ask', '{npm,pnpm,yarn,cargo} publish *'),
    rule('deny', 'sudo *'),
  ];

  it.each(everydayRows(name))('%j allows %j', (patterns, command) => {
    const allows = [...besides(name), ...patterns].map((pattern) => rule('allow', pattern));
    expect(judge(command, [...careful, ...allows])).toBe('allow');
  });
});
