import { randomUUID } from 'node:crypto';
import type { Rule, RuleAction, RuleDraft, RuleVersion } from '../../contract/rules.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import type { Draft } from '../journal/journal.ts';
import { type Guard, isBuiltIn } from './built-in/built-in-rules.ts';
import { compileRule } from './compile-rule.ts';
import { describeRule } from './describe-rule.ts';
import { RuleRows } from './rule-rows.ts';
import { RuleSet } from './rule-set.ts';

/** The operator's rules: current ones, earlier versions, and what a change records. */
export class Rules {
  readonly #core: Core;
  readonly #rows: RuleRows;
  readonly #now: () => number;
  readonly #rules = new Map<string, Rule>();
  readonly #listeners: (() => void)[] = [];
  readonly guard: Guard | undefined;
  #set: RuleSet | undefined;

  constructor({ core, now, guard }: { core: Core; now: () => number; guard?: Guard | undefined }) {
    this.#core = core;
    this.guard = guard;
    this.#now = now;
    this.#rows = new RuleRows(core.journal.db);
    for (const rule of this.#rows.list()) this.#rules.set(rule.id, rule);
  }

  /** Compiled when a call first needs them after a change. */
  get compiled(): RuleSet {
    this.#set ??= new RuleSet([...this.#rules.values()], { guard: this.guard });
    return this.#set;
  }

  list(): Rule[] {
    return [...this.#rules.values()];
  }

  get(id: string): Rule {
    const rule = this.#rules.get(id);
    if (isBuiltIn(id))
      throw new DomainError('rule.built_in', 409, "This rule is built in. It can't be changed, turned off or removed.");
    if (!rule) throw new DomainError('rule.unknown', 404, `No rule ${id}. GET /api/rules lists them.`);
    return rule;
  }

  /** Throws if this isn't a valid rule. */
  check(draft: RuleDraft): void {
    compileRule({ id: '', ...draft, createdAt: 0 });
  }

  /** Called when the rules changed. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async create(draft: RuleDraft, by: string): Promise<Rule> {
    return this.#write('created', this.#fresh(draft), by);
  }

  /** A new rule, for a caller that records it together with something else and then adopts it. */
  prepare(draft: RuleDraft, by: string): { rule: Rule; draft: Draft; compiled: () => RuleSet } {
    const rule = this.#fresh(draft);
    return {
      rule,
      draft: this.#draft('created', rule, by),
      compiled: () => new RuleSet([...this.#rules.values(), rule], { guard: this.guard }),
    };
  }

  adopt(rule: Rule): void {
    this.#rules.set(rule.id, rule);
    this.#changed();
  }

  #fresh(draft: RuleDraft): Rule {
    const at = this.#now();
    return { id: randomUUID(), ...draft, version: 1, createdAt: at, updatedAt: at };
  }

  async update(id: string, draft: RuleDraft, by: string): Promise<Rule> {
    const { version, createdAt } = this.get(id);
    return this.#write('updated', { id, ...draft, version: version + 1, createdAt, updatedAt: this.#now() }, by);
  }

  async remove(id: string, by: string): Promise<void> {
    const rule = this.get(id);
    await this.#write('deleted', { ...rule, version: rule.version + 1, updatedAt: this.#now() }, by);
  }

  versions(id: string): RuleVersion[] {
    const versions = this.#rows.versions(id);
    if (versions.length === 0) throw new DomainError('rule.unknown', 404, `There has never been a rule ${id}.`);
    return versions;
  }

  /** An earlier version becomes the newest one; a deleted rule comes back. */
  async restore(id: string, version: number, by: string): Promise<Rule> {
    const versions = this.versions(id);
    const wanted = versions.find((one) => one.version === version);
    if (!wanted) throw new DomainError('rule.unknown_version', 404, `Rule ${id} has no version ${version}.`);
    return this.#write('restored', { ...wanted.rule, version: versions[0]!.version + 1, updatedAt: this.#now() }, by);
  }

  /** All or nothing: an invalid pattern is reported before any rule is written. */
  async import(drafts: RuleDraft[], by: string): Promise<Rule[]> {
    if (drafts.length === 0) return [];
    const rules = drafts.map((draft) => this.#fresh(draft));
    await this.#core.recordAll(rules.map((rule) => this.#draft('created', rule, by)));
    for (const rule of rules) this.#rules.set(rule.id, rule);
    this.#changed();
    return rules;
  }

  async #write(action: RuleAction, rule: Rule, by: string): Promise<Rule> {
    await this.#core.record(this.#draft(action, rule, by));
    if (action === 'deleted') this.#rules.delete(rule.id);
    else this.#rules.set(rule.id, rule);
    this.#changed();
    return rule;
  }

  /** Throws if this isn't a valid rule. */
  #draft(action: RuleAction, rule: Rule, by: string): Draft {
    compileRule(rule);
    const { id, updatedAt: at } = rule;
    return {
      sessionId: '',
      source: 'operator',
      name: `rule.${action}`,
      payload: { by, ruleId: id, decision: rule.decision, detail: describeRule(rule), rule },
      write: () => this.#rows.write(action, rule, { at, by }),
    };
  }

  #changed(): void {
    this.#set = undefined;
    for (const listener of this.#listeners) listener();
  }
}
