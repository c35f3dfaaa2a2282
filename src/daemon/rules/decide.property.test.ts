import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadBash } from './bash/grammar.ts';
import type { RulesIo } from './call-facts.ts';
import type { JudgedRule } from './compile-rule.ts';
import { decide } from './decide.ts';
import { RuleSet } from './rule-set.ts';

let io: RulesIo;
beforeAll(async () => {
  io = { parseBash: await loadBash(), realPath: (path) => path };
});

const ALLOWED = ['npm run *', 'git status', 'ls *', 'cat *'];
const rule = (command: string, decision: 'allow' | 'deny', index: number): JudgedRule => ({
  id: `${decision}-${index}`,
  scope: 'global',
  priority: 0,
  enabled: true,
  reason: '',
  createdAt: index,
  pattern: { toolName: 'Bash', parameters: { command } },
  decision,
});
const allows = new RuleSet(ALLOWED.map((command, index) => rule(command, 'allow', index)));
const judge = (command: string, rules = allows) =>
  decide({ toolName: 'Bash', toolInput: { command }, cwd: '/w/app', home: '/home/op', now: 1 }, rules, io).decision;

const allowed = fc.constantFrom('npm run build', 'git status', 'ls -la', 'cat README.md');
const connector = fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n', '&&', ';', '|', ' |& ', ';\n', ' &&\n');
/** Programs that no rule above covers, written in ways a shell would still run. */
const other = fc.oneof(
  fc.constantFrom(
    'rm -rf /',
    'curl evil.example',
    'touch x',
    'r\\m x',
    "r''m x",
    '/bin/rm x',
    '$(rm x)',
    '`rm x`',
    'eval rm',
    'sh -c rm',
    'X=1 rm',
    '! rm x',
    'time rm x',
    '{ rm x; }',
    '(rm x)',
    'if true; then rm x; fi',
    'f() { rm x; }; f',
    'rm<<<x',
    '>x rm',
    'exec rm',
    'command rm x',
    'env rm x',
    'xargs rm',
    'sudo rm x',
  ),
  fc
    .stringMatching(/^[a-z]{3,8}$/)
    .filter((word) => !['git', 'npm', 'cat'].includes(word))
    .map((word) => `${word}zz --flag`),
);

describe('an allowed command with something else next to it', () => {
  it('is never allowed, whatever joins them', () => {
    fc.assert(
      fc.property(allowed, connector, other, fc.boolean(), (known, join, unknown, isFirst) => {
        const command = isFirst ? `${known}${join}${unknown}` : `${unknown}${join}${known}`;
        expect([command, judge(command)]).not.toEqual([command, 'allow']);
      }),
      { numRuns: 1500 },
    );
  });

  it('is never allowed with something inside it', () => {
    const inside = fc.constantFrom(
      '$(X)',
      '`X`',
      '<(X)',
      '>(X)',
      '"$(X)"',
      '"`X`"',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
      '${x:-$(X)}',
      '$((1 + $(X)))',
      '> X',
      '>> X',
      '<<E\n$(X)\nE',
      '&> X',
      '; X',
      '\nX',
      '|X',
      '&X',
    );
    fc.assert(
      fc.property(allowed, inside, other, (known, shape, unknown) => {
        const command = `${known} ${shape.replace('X', () => unknown)}`;
        expect([command, judge(command)]).not.toEqual([command, 'allow']);
      }),
      { numRuns: 1500 },
    );
  });

  it('is allowed only together with allowed commands', () => {
    fc.assert(
      fc.property(allowed, fc.constantFrom(' && ', ' || ', '; ', ' | '), allowed, (one, join, two) => {
        expect(judge(`${one}${join}${two}`)).toBe('allow');
      }),
    );
  });
});

describe('a denied command', () => {
  const denies = new RuleSet([
    rule('rm *', 'deny', 1),
    ...ALLOWED.map((command, index) => rule(command, 'allow', index + 2)),
  ]);

  it('is never allowed, however it is hidden', () => {
    const hidden = fc.constantFrom(
      'rm -rf x',
      '/bin/rm -rf x',
      '\\rm -rf x',
      "'rm' -rf x",
      'r"m" -rf x',
      'env rm -rf x',
      'sudo -u op rm -rf x',
      'timeout 5 rm -rf x',
      'bash -c "rm -rf x"',
      'xargs rm -rf',
      '$(rm -rf x)',
      '(rm -rf x)',
      '{ rm -rf x; }',
      'nice -n 5 rm -rf x',
      'command rm -rf x',
    );
    fc.assert(
      fc.property(hidden, fc.option(fc.tuple(allowed, connector)), (command, prefix) => {
        const line = prefix ? `${prefix[0]}${prefix[1]}${command}` : command;
        expect(['deny', 'ask']).toContain(judge(line, denies));
      }),
      { numRuns: 500 },
    );
  });
});

describe('any text', () => {
  it('is evaluated without an error, and not allowed by rules that do not cover it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        expect(judge(`zz${text}`)).not.toBe('allow');
      }),
      { numRuns: 1000 },
    );
  });

  it('is evaluated quickly, even with patterns designed to be slow', () => {
    const patterns = [
      '*a*a*a*a*a*a*a*a*b',
      '{a,a}{a,a}{a,a}{a,a}*b',
      '*?*?*?*?*?*b',
      '**/**/**/**/b',
      `${'*a'.repeat(50)}b`,
    ];
    const hostile = new RuleSet(patterns.map((command, index) => rule(command, 'allow', index)));
    // exponential matching wouldn't finish within the test's lifetime
    for (const text of ['a'.repeat(20_000), 'a/'.repeat(10_000), 'ab'.repeat(10_000)]) judge(text, hostile);
  });
});
