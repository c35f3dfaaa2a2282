import type { Approval } from '../../../../src/contract/approvals.ts';
import { ABOUT, shapeOf, shapePattern } from '../../../../src/contract/call-shape.ts';
import { exactText } from '../../../../src/contract/exact-pattern.ts';
import type { RuleDraft } from '../../../../src/contract/rules.ts';

/** Allowing one of these with any arguments allows anything, so for them "always" means this exact command. */
const FAR_REACHING = new Set(
  'sh bash zsh fish dash eval exec source python python3 node deno bun ruby perl php awk sudo doas su env xargs ssh scp rsync docker podman kubectl terraform rm mv dd chmod chown kill pkill killall curl wget nc make npx'.split(
    ' ',
  ),
);

export interface RuleStart {
  draft: RuleDraft;
  /** The parameter the pattern applies to. null: none is obvious, so the rule covers every call of the tool. */
  parameter: string | null;
}

/** The rule "always" most likely means: calls like this one, in this project. Shown before it is saved. */
export function suggestRule(approval: Approval, project: string | null): RuleStart {
  const pattern = shapePattern(approval.toolName, narrowShape(approval) ?? shapeOf(approval));
  const [parameter = null] = Object.keys(pattern.parameters);
  const scope = project
    ? { scope: 'project' as const, project }
    : { scope: 'session' as const, sessionId: approval.sessionId };
  return { draft: { ...scope, pattern, decision: 'allow', priority: 0, enabled: true, reason: '' }, parameter };
}

/** Exactly this call. null if the parameter isn't text. */
export function exactShape({ toolName, toolInput }: Approval): string | null {
  const value = toolInput[ABOUT[toolName] ?? ''];
  if (typeof value !== 'string') return null;
  // Quotes group words in a pattern as they do in a shell, so keep them.
  return (toolName === 'Bash' ? commandsIn(value) : [value]).map(exactText).join('|');
}

function narrowShape(approval: Approval): string | null {
  const { command } = approval.toolInput;
  if (approval.toolName !== 'Bash' || typeof command !== 'string') return null;
  const commands = commandsIn(command);
  const [program = ''] = command.trim().split(/\s+/);
  const name = program.slice(program.lastIndexOf('/') + 1);
  return commands.length > 1 || FAR_REACHING.has(name) ? exactShape(approval) : null;
}

/** A rule allows a command line only if it covers every command in it, so each command becomes an alternative. */
function commandsIn(line: string): string[] {
  const parts = line
    .replace(/\\\n/g, ' ')
    .split(/&&|\|\|?|[;\n]/)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter(Boolean);
  return [...new Set(parts)];
}
