import { beforeAll, describe, expect, it } from 'vitest';
import type { RuleDecision } from '../../contract/rules.ts';
import { loadBash } from './bash/grammar.ts';
import type { RulesIo } from './call-facts.ts';
import { TABLE, TABLE_RULES } from './commands.table.ts';
import type { JudgedRule } from './compile-rule.ts';
import { decide } from './decide.ts';
import { RuleSet } from './rule-set.ts';

let io: RulesIo;
let id = 0;

beforeAll(async () => {
  io = { parseBash: await loadBash(), realPath: (path) => path };
});

function rule(decision: RuleDecision, toolName: string, parameters = {}, more: Partial<JudgedRule> = {}): JudgedRule {
  const base = { scope: 'global', priority: 0, enabled: true, reason: '' } as const;
  return { ...base, id: `r${++id}`, createdAt: id, pattern: { toolName, parameters }, decision, ...more };
}

const here = { cwd: '/w/app', project: '/w/app', home: '/home/op', sessionId: 's', now: 1000 };

describe('the table of commands', () => {
  const rules = new RuleSet(
    (['deny', 'ask', 'allow'] as const).flatMap((kind) =>
      TABLE_RULES[kind].map((command) => rule(kind, 'Bash', { command })),
    ),
  );
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
    expect(
      new Set(
        Object.values(TABLE)
          .flat()
          .map(([, command]) => command),
      ).size,
    ).toBeGreaterThanOrEqual(300);
  });
});
