import { shapeOf, shapePattern } from '../../contract/call-shape.ts';
import { RuleDraft, type RuleSuggestion } from '../../contract/rules.ts';
import type { RulesIo } from './call-facts.ts';
import { decide } from './decide.ts';
import { describeRule } from './describe-rule.ts';
import { RuleSet } from './rule-set.ts';

interface Approved {
  toolName: string;
  toolInput: Record<string, unknown>;
}

const OFTEN = 3;

/** Whoever may run one of these may run anything, or undo what cannot be undone: never offered, however often approved. */
const NEVER = new Set(
  [
    'sh bash zsh fish dash ksh csh tcsh pwsh powershell eval exec source',
    'python python2 python3 node deno bun ruby perl php lua awk gawk osascript tclsh java jshell',
    'sudo doas su env xargs timeout nice nohup ssh scp rsync docker podman kubectl',
    'rm mv dd chmod chown kill pkill killall curl wget nc make',
  ]
    .join(' ')
    .split(' '),
);

/** Rules learned from what the operator keeps approving: narrow ones, and only such as would really have covered it. */
export function suggestRules(
  approved: Approved[],
  { rules, io, now }: { rules: RuleSet; io: RulesIo; now: number },
): RuleSuggestion[] {
  const groups = groupBy(approved, keyOf);
  return [...groups.values()].flatMap((calls) => {
    const [first] = calls;
    if (!first || calls.length < OFTEN || calls.some((call) => decide({ ...call, now }, rules, io).decision !== 'none'))
      return [];
    const shape = shapeOf(first);
    if (!isOffered(first.toolName, shape)) return [];
    const draft = RuleDraft.parse({
      pattern: shapePattern(first.toolName, shape),
      decision: 'allow',
      reason: `Approved ${calls.length} times`,
    });
    const alone = new RuleSet([{ ...draft, id: 'suggested', createdAt: now }]);
    if (calls.some((call) => decide({ ...call, now }, alone, io).decision !== 'allow')) return [];
    const examples = [...new Set(calls.map(({ toolInput }) => JSON.stringify(toolInput).slice(0, 200)))].slice(0, 3);
    return [{ draft, text: describeRule(draft), shape, approvals: calls.length, examples }];
  });
}

function isOffered(toolName: string, shape: string): boolean {
  if (shape === '*') return false;
  if (toolName !== 'Bash') return true;
  const [program = '', second = ''] = shape.split(' ');
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/[\d.]+$/, '');
  if (NEVER.has(name) || NEVER.has(program)) return false;
  if (name === 'git' && (second === '' || second === '*')) return false;
  // installing runs what others wrote
  return (
    !(
      /^(npm|pnpm|yarn|bun|pip|pip3|gem|cargo|go|brew|apt|apt-get)$/.test(program) &&
      /^(i|ci|install|add|exec|x|dlx|get|publish)$/.test(second)
    ) && program !== 'npx'
  );
}

const keyOf = (call: Approved) => `${call.toolName} ${shapeOf(call)}`;

function groupBy<T>(items: T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}
