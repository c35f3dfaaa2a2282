import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RuleDecision } from '../../src/contract/rules.ts';
import { loadBash } from '../../src/daemon/rules/bash/grammar.ts';
import type { RulesIo } from '../../src/daemon/rules/call-facts.ts';
import type { JudgedRule } from '../../src/daemon/rules/compile-rule.ts';
import { decide } from '../../src/daemon/rules/decide.ts';
import { RuleSet } from '../../src/daemon/rules/rule-set.ts';

const ROW = /^\| ((?:(?:allow|deny|ask) `[^`]+`(?:, )?)+) \| `(.+)` \| (allow|deny|ask|none) \|$/;
const rows = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, rules, command, decision] = ROW.exec(line) ?? [];
    return rules === undefined ? [] : [[rules, command!.replaceAll('\\|', '|'), decision!] as const];
  });

let io: RulesIo;
beforeAll(async () => {
  io = { parseBash: await loadBash(), realPath: (path) => path };
});

function rulesOf(text: string): JudgedRule[] {
  return [...text.matchAll(/(allow|deny|ask) `([^`]+)`/g)].map(([id, decision, command]) => ({
    ...{ id, scope: 'global', priority: 0, enabled: true, reason: '', createdAt: 0 },
    decision: decision as RuleDecision,
    pattern: { toolName: 'Bash', parameters: { command: command! } },
  }));
}

describe('docs/rules.md', () => {
  it('has examples', () => expect(rows.length).toBeGreaterThan(25));

  it.each(rows)('%s: %s is %s', (rules, command, expected) => {
    const call = {
      toolName: 'Bash',
      toolInput: { command },
      cwd: '/w/app',
      project: '/w/app',
      home: '/home/op',
      now: 1,
    };
    const { decision, why } = decide(call, new RuleSet(rulesOf(rules)), io);
    expect({ decision, why }).toEqual({ decision: expected, why });
  });
});
