import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { exactCommand } from '../../contract/exact-pattern.ts';
import { loadBash } from './bash/grammar.ts';
import type { RulesIo } from './call-facts.ts';
import type { JudgedRule } from './compile-rule.ts';
import { decide } from './decide.ts';
import { RuleSet } from './rule-set.ts';

let io: RulesIo;
beforeAll(async () => {
  io = { parseBash: await loadBash(), realPath: (path) => path };
});

const rule = (decision: 'allow' | 'deny', command: string, createdAt = 0): JudgedRule => ({
  ...{ id: command, scope: 'global', priority: 0, enabled: true, reason: '', createdAt, decision },
  pattern: { toolName: 'Bash', parameters: { command } },
});
const here = { cwd: '/w/app', project: '/w/app', home: '/home/op', now: 1, toolName: 'Bash' };
const judge = (command: string, rules: RuleSet) => decide({ ...here, toolInput: { command } }, rules, io);

const ALLOWED = ['npm run *', 'git status', 'ls *', 'cat *', 'echo *', 'grep *', 'true', 'cd *', 'printf *', 'test *'];
const allowRules = new RuleSet(ALLOWED.map((command) => rule('allow', command)));

const allowed = fc.constantFrom(
  ...[
    'npm run build',
    'npm run "a b"',
    'git status',
    'ls -la *.ts',
    "cat 'a b'",
    'echo hi',
    'grep -r x .',
    'true',
    'cd src',
  ],
  ...['CI=1 npm run x', 'timeout 5 npm run x', "bash -c 'npm run x'", '(git status)', 'npm run x 2>&1', '! true'],
);
/** Commands of a program that no rule allows. */
const other = fc
  .tuple(
    fc.constantFrom(
      'evil',
      './evil',
      '/tmp/evil',
      'evil -x',
      "e'v'il",
      '\\evil',
      '"evil"',
      'evil a b',
      '$X',
      '`x`',
      'ev*l',
    ),
    fc.constantFrom('', ' x', " 'a;b'", ' "$Y"', ' > f', ' &', ' # c', ' | cat', ' || true'),
  )
  .map((parts) => parts.join(''));

const connect: ((a: string, b: string) => string)[] = [
  ...[
    ' && ',
    ';',
    '; ',
    ' || ',
    ' | ',
    '|',
    '\n',
    '\n\n',
    ' & ',
    '&',
    ' |& ',
    ' ;\n',
    ' \\\n&& ',
    '\n#c\n',
    ' && ! ',
    ' && time ',
  ].map((by) => (a: string, b: string) => a + by + b),
  (a, b) => `${a} $(${b})`,
  (a, b) => `${a} "$(${b})"`,
  (a, b) => `${a} \`${b.replaceAll('`', '')}\``,
  (a, b) => `${a} <(${b})`,
  (a, b) => `${a} > >(${b})`,
  (a, b) => `${a} $(($(${b})))`,
  (a, b) => `X=$(${b}) ${a}`,
  (a, b) => `CI=\`${b.replaceAll('`', '')}\` ${a}`,
  (a, b) => `(${a}; ${b}\n)`,
  (a, b) => `{ ${a}; ${b}\n}`,
  (a, b) => `${a}; (${b}\n)`,
  (a, b) => `if ${a}; then ${b}\nfi`,
  (a, b) => `${a}; for i in 1; do ${b}\ndone`,
  (a, b) => `${a}; f() { ${b}\n}; f`,
  (a, b) => `${a}; eval '${b.replaceAll("'", '"')}'`,
  (a, b) => `${a}; bash -c '${b.replaceAll("'", '"')}'`,
  (a, b) => `${a}; env ${b}`,
  (a, b) => `${a} | xargs ${b}`,
  (a, b) => `${a}; timeout 5 ${b}`,
  (a, b) => `${a}; sudo ${b}`,
  (a, b) => `${a}; exec ${b}`,
  (a, b) => `${a}; trap '${b.replaceAll("'", '"')}' EXIT`,
  (a, b) => `${a} <<E\n$(${b})\nE`,
  (a, b) => `bash <<E\n${a}\n${b}\nE`,
  (a, b) => `alias ls='${b.replaceAll("'", '"')}'\n${a}`,
  (a, b) => `${a}; find . -exec ${b} \\;`,
  (a, b) => `${b}\n${a}`,
  (a, b) => `${b}; ${a}`,
  (a, b) => `coproc ${b}\n${a}`,
];

describe('an allowed command together with another', () => {
  it('is itself allowed', () => {
    fc.assert(
      fc.property(allowed, (a) => {
        expect(judge(a, allowRules).decision).toBe('allow');
      }),
    );
  });

  it('is never allowed, however they are connected', () => {
    const connector = fc.constantFrom(...connect);
    fc.assert(
      fc.property(allowed, other, connector, connector, allowed, (a, b, by, by2, c) => {
        for (const text of [by(a, b), by2(c, by(a, b)), by(by2(a, c), b), by2(by(a, b), c)]) {
          const { decision, why } = judge(text, allowRules);
          expect({ text, decision, why }).toMatchObject({ decision: expect.stringMatching(/^(ask|none)$/) });
        }
      }),
      { numRuns: 1200 },
    );
  });

  it('is never allowed with any added text that names another program', () => {
    const noise = fc.array(
      fc.constantFrom(
        ...[...' \t\n;|&<>(){}[]$`"\'\\*?#!~=-', 'evil ', 'a', '&&', '||', '$(', '2>&1', '<<E', 'npm run ', '\\\n'],
      ),
      { maxLength: 8 },
    );
    const denyEvil = new RuleSet([...ALLOWED.map((command) => rule('allow', command)), rule('deny', 'evil *')]);
    fc.assert(
      fc.property(allowed, noise, noise, (a, before, after) => {
        const text = `${a}${before.join('')} evil ${after.join('')}`;
        // where it is only an argument or a comment, a deny doesn't see it either
        if (judge(text, allowRules).decision === 'allow') expect(judge(text, denyEvil).decision).not.toBe('deny');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a denied command', () => {
  const denyRules = new RuleSet([rule('deny', 'evil *'), rule('allow', '*')]);
  const denied = fc.constantFrom(
    'evil',
    './evil',
    '/tmp/evil x',
    "e'v'il",
    '\\evil',
    '"evil" -x',
    "$'evil'",
    'EVIL',
    'ev\\\nil',
  );

  it('needs approval at least, however it is hidden', () => {
    fc.assert(
      fc.property(allowed, denied, fc.constantFrom(...connect), fc.constantFrom(...connect), (a, b, by, by2) => {
        for (const text of [by(a, b), by(by2(a, a), b), by2(a, by(a, b))]) {
          const { decision, why } = judge(text, denyRules);
          expect({ text, decision, why }).toMatchObject({ decision: expect.stringMatching(/^(deny|ask)$/) });
        }
      }),
      { numRuns: 1200 },
    );
  });
});

describe('a command designed to be slow to parse', () => {
  const rules = new RuleSet([...ALLOWED.map((command) => rule('allow', command)), rule('deny', '*secret*')]);
  it.each([
    ...[
      'git run ',
      'sudo ',
      "sudo 'a b' ",
      'env A=1 ',
      'xargs ',
      'parallel a ::: ',
      'find -exec a ',
      "ssh 'a;b' ",
      'git -c a.b=c ',
    ],
    ...[
      "eval 'a=(a=(' ; ",
      "bash -c 'a|a' ; ",
      'bash -c "',
      'if a; then ',
      '(',
      'a=( ',
      '$(a ',
      '`a ',
      'a|',
      'a;',
      '$a ',
    ],
    ...[
      '{a,',
      '{a,b} ',
      '* ',
      "'a' ",
      '/a ',
      'a\\\n',
      "alias a='b c' ;",
      "docker exec 'a b' ",
      "trap 'a b' E; ",
      '<<E ',
    ],
  ])('is evaluated, and not allowed: %s…', (unit) => {
    expect(judge(`${unit.repeat(60_000 / unit.length)}`, rules).decision).not.toBe('allow');
  });
});

describe('normalizing', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abn -;|&<>(){}$`"\'\\*?,[]#!~='), maxLength: 5 });
  const words = fc.array(word, { minLength: 1, maxLength: 3 });
  const quoted = (each: string[]) => each.map((one) => `'${one.replaceAll("'", `'\\''`)}'`).join(' ');

  it('never widens: an exact pattern covers its own words and no others', () => {
    fc.assert(
      fc.property(words, words, (mine, theirs) => {
        const rules = new RuleSet([rule('allow', exactCommand(['npm', ...mine]))]);
        expect(judge(`npm ${quoted(mine)}`, rules).decision).toBe('allow');
        const isSame = JSON.stringify(mine) === JSON.stringify(theirs);
        if (!isSame) expect(judge(`npm ${quoted(theirs)}`, rules).decision).not.toBe('allow');
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a program apart from its arguments', () => {
    fc.assert(
      fc.property(fc.constantFrom('npm run build', 'ls -la', 'cat x', 'git status'), fc.nat(3), (text, at) => {
        const parts = text.split(' ');
        const glued = [...parts.slice(0, at), parts.slice(at).join(' ')].filter((part) => part !== '');
        if (glued.length === parts.length) return;
        const { decision } = judge(quoted(glued), allowRules);
        expect({ glued, decision }).toEqual({
          glued,
          decision: at === 0 || parts[0] === 'npm' || parts[0] === 'git' ? 'none' : 'allow',
        });
      }),
    );
  });
});
