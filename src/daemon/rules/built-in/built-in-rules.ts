import type { BuiltInRule } from '../../../contract/rules.ts';
import type { CallFacts } from '../call-facts.ts';
import type { JudgedRule } from '../compile-rule.ts';
import { relativeTo } from '../match-path.ts';
import { kindOf } from '../parameters.ts';
import { type OwnPaths, type Spellings, spellingsOf } from './own-paths.ts';

/** Tools that only read. Reading Claude's settings does no harm, but our own data contains tokens. */
const READERS = new Set(['Read', 'Grep', 'Glob', 'LS', 'NotebookRead']);
/** Their input is prose, or consists of other calls. */
const PROSE = new Set(['Agent', 'Task', 'WebSearch', 'AskUserQuestion', 'ExitPlanMode', 'TodoWrite', 'Skill']);
const WRITERS = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
/** Longer text is a document, not an address or a path. */
const MAX_TEXT = 4000;
const MAX_DEPTH = 5;

type Id = 'gctl' | 'data' | 'address' | 'settings' | 'hooks';

const REASONS: Record<Id, string> = {
  gctl: 'gctl can act as the operator',
  data: "Ground Control's data folder contains its rules and tokens",
  address: "Ground Control's own address accepts decisions",
  settings: "Claude's settings contain the hooks that report what it does",
  hooks: "Without hooks, Ground Control sees nothing and can't ask you",
};

const ABOUT: Record<Id, string> = {
  gctl: 'Commands that run gctl',
  data: 'Anything in the data folder',
  address: "Calls to the daemon's own port",
  settings: 'Changes to settings.json, settings.local.json and managed settings',
  hooks: 'disableAllHooks, and clients started without hooks',
};

export interface Guarded {
  rule: JudgedRule;
  why: string;
}

/** Checks a call before any allow rule. undefined: none of these applies. */
export type Guard = (facts: CallFacts) => Guarded | undefined;

/**
 * Rules that always exist and that no allow overrides: what an agent does to Ground Control itself is shown to a person first. They only
 * see what is spelled out; a command that hides it well enough gets past them and meets the checks on who is asking.
 */
export class BuiltInRules {
  readonly #places: () => OwnPaths;
  #spellings: (Spellings & { port: number }) | undefined;

  constructor(places: () => OwnPaths) {
    this.#places = places;
  }

  list(): BuiltInRule[] {
    return ids().map((id) => ({ id: ruleId(id), decision: 'ask', about: ABOUT[id], reason: REASONS[id] }));
  }

  readonly guard: Guard = (facts) => {
    const id = this.#find(facts);
    if (id === undefined) return undefined;
    return { rule: toRule(id), why: `Asked by a built-in rule: ${REASONS[id]}.` };
  };

  #find(facts: CallFacts): Id | undefined {
    const { toolName, toolInput } = facts.call;
    if (PROSE.has(toolName)) return undefined;
    for (const { key, text } of textsOf(toolInput)) {
      const id = this.#judge(facts, key, text);
      if (id) return id;
    }
    return undefined;
  }

  #judge(facts: CallFacts, key: string, text: string): Id | undefined {
    const { toolName } = facts.call;
    const kind = kindOf(key);
    if (kind === 'command') return this.#inCommand(text);
    if (kind === 'path') return this.#inPath(facts, text);
    if (WRITERS.has(toolName)) return isSettingsText(facts, text) ? 'hooks' : undefined;
    // what a search looks for isn't a location
    if (READERS.has(toolName) || text.length > MAX_TEXT) return undefined;
    return this.#inText(text);
  }

  #inCommand(text: string): Id | undefined {
    const { program } = this.#spelled();
    // quotes and backslashes are removed before looking for a program
    const plain = text.replaceAll(/["'\\]/g, '');
    if (program.test(text) || program.test(plain)) return 'gctl';
    return this.#inText(text) ?? this.#inText(plain);
  }

  #inText(text: string): Id | undefined {
    const { data, address, settings, hooksOff } = this.#spelled();
    if (data.test(text)) return 'data';
    if (address.test(text)) return 'address';
    if (hooksOff.test(text)) return 'hooks';
    return settings.test(text) ? 'settings' : undefined;
  }

  #inPath(facts: CallFacts, text: string): Id | undefined {
    const { dataDir } = this.#places();
    const { written, real = written } = facts.path(text);
    const isOurs = [dataDir, facts.path(dataDir).real ?? dataDir].some((folder) =>
      [written, real].some((path) => relativeTo(folder, path) !== undefined),
    );
    if (isOurs) return 'data';
    if (READERS.has(facts.call.toolName)) return undefined;
    const { settings } = this.#spelled();
    return [text, written, real].some((path) => settings.test(path)) ? 'settings' : undefined;
  }

  #spelled(): Spellings {
    const places = this.#places();
    if (this.#spellings?.port !== places.port) this.#spellings = { ...spellingsOf(places), port: places.port };
    return this.#spellings;
  }
}

const ids = (): Id[] => ['gctl', 'data', 'address', 'settings', 'hooks'];
const ruleId = (id: Id): string => `builtin-${id}`;
export const isBuiltIn = (id: string): boolean => id.startsWith('builtin-');

function toRule(id: Id): JudgedRule {
  const pattern = { toolName: '*', parameters: {} };
  const common = { scope: 'global', priority: 0, enabled: true, createdAt: 0 } as const;
  return { id: ruleId(id), ...common, pattern, decision: 'ask', reason: REASONS[id] };
}

/** A settings file may have another name and be moved into place later. */
function isSettingsText(facts: CallFacts, text: string): boolean {
  const isJson = facts.values('file_path').some((path) => /\.jsonc?$/i.test(path ?? ''));
  return isJson && text.includes('disableAllHooks');
}

function* textsOf(value: unknown, key = '', depth = 0): Generator<{ key: string; text: string }> {
  if (typeof value === 'string') yield { key, text: value };
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return;
  for (const [name, inner] of Object.entries(value))
    yield* textsOf(inner, Array.isArray(value) ? key : name, depth + 1);
}
