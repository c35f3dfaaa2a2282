import { randomUUID } from 'node:crypto';
import type { Rule, RuleDraft } from '../../contract/rules.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import { compileRule } from './compile-rule.ts';
import { describeRule } from './describe-rule.ts';
import { type RuleAction, RuleRows, type RuleVersion } from './rule-rows.ts';
import { RuleSet } from './rule-set.ts';

/** The operator's rules: what there is, what there was, and what a change to them records. */
export class Rules {
  readonly #core: Core;
  readonly #rows: RuleRows;
  readonly #now: () => number;
  readonly #rules = new Map<string, Rule>();
  #set: RuleSet | undefined;

  constructor({ core, now }: { core: Core; now: () => number }) {
    this.#core = core;
    this.#now = now;
    this.#rows = new RuleRows(core.journal.db);
    for (const rule of this.#rows.list()) this.#rules.set(rule.id, rule);
  }

  /** Compiled when a call first needs them after a change. */
  get compiled(): RuleSet {
    this.#set ??= new RuleSet([...this.#rules.values()]);
    return this.#set;
  }

  list(): Rule[] {
    return [...this.#rules.values()];
  }

  get(id: string): Rule {
    const rule = this.#rules.get(id);
    if (!rule) throw new DomainError('rule.unknown', 404, `No rule ${id}. GET /api/rules lists them.`);
    return rule;
  }

  /** Throws if this could not be a rule. */
  check(draft: RuleDraft): void {
    compileRule({ id: '', ...draft, createdAt: 0 });
  }

  async create(draft: RuleDraft, by: string): Promise<Rule> {
    const at = this.#now();
    return this.#write('created', { id: randomUUID(), ...draft, version: 1, createdAt: at, updatedAt: at }, by);
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
    if (versions.length === 0) throw new DomainError('rule.unknown', 404, `There never was a rule ${id}.`);
    return versions;
  }

  /** An earlier version becomes the newest one; a deleted rule comes back. */
  async restore(id: string, version: number, by: string): Promise<Rule> {
    const versions = this.versions(id);
    const wanted = versions.find((one) => one.version === version);
    if (!wanted) throw new DomainError('rule.unknown_version', 404, `Rule ${id} has no version ${version}.`);
    return this.#write('restored', { ...wanted.rule, version: versions[0]!.version + 1, updatedAt: this.#now() }, by);
  }

  /** All or nothing: a bad pattern among them is said before any is written. */
  async import(drafts: RuleDraft[], by: string): Promise<Rule[]> {
    const at = this.#now();
    const rules = drafts.map(
      (draft): Rule => ({ id: randomUUID(), ...draft, version: 1, createdAt: at, updatedAt: at }),
    );
    for (const rule of rules) compileRule(rule);
    return Promise.all(rules.map((rule) => this.#write('created', rule, by)));
  }

  async #write(action: RuleAction, rule: Rule, by: string): Promise<Rule> {
    compileRule(rule);
    const { id, updatedAt: at } = rule;
    await this.#core.record({
      sessionId: '',
      source: 'operator',
      name: `rule.${action}`,
      payload: { by, ruleId: id, decision: rule.decision, detail: describeRule(rule), rule },
      write: () => this.#rows.write(action, rule, { at, by }),
    });
    if (action === 'deleted') this.#rules.delete(id);
    else this.#rules.set(id, rule);
    this.#set = undefined;
    return rule;
  }
}
