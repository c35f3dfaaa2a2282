import { DATA_FILES } from '../../contract/data-files.ts';
import { ruleRoutes } from '../http/rules.ts';
import { DecisionCounts } from '../permissions/session-decisions.ts';
import { loadBash } from '../rules/bash/grammar.ts';
import { BuiltInRules } from '../rules/built-in/built-in-rules.ts';
import { branchOnDisk, namesOnDisk, realPathOnDisk } from '../rules/disk.ts';
import { Policies } from '../rules/policies.ts';
import { createRuleTools } from '../rules/rule-tools.ts';
import { Rules } from '../rules/rules.ts';
import { keepRulesBackup, restoreRules } from '../rules/rules-backup.ts';
import type { ApprovalsPart } from './approvals.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';

interface RulesOptions {
  /** Restore the rules from their backup: the journal is new. */
  newJournal: boolean;
}

export type RulesPart = Awaited<ReturnType<typeof rulesPart>>;

/** Rules, policies, and what the rules would say. */
export async function rulesPart(
  { dataDir, configDir, port, log, now, onError }: Base,
  { core, setAside, approvals, newJournal }: CorePart & Pick<ApprovalsPart, 'approvals'> & RulesOptions,
) {
  const builtIn = new BuiltInRules(() => ({ dataDir: dataDir.path, configDir, port: port() }));
  const rules = new Rules({ core, now, guard: builtIn.guard });
  const policies = new Policies(core);
  const backup = {
    path: dataDir.file(DATA_FILES.rulesBackup),
    replace: (text: string) => dataDir.saveRulesBackup(text),
    rules,
    policies,
  };
  if (newJournal) log.warn({ setAside, rules: await restoreRules(backup) }, 'started with a new journal');
  keepRulesBackup(core, backup, onError);
  const io = {
    parseBash: await loadBash(onError),
    realPath: realPathOnDisk,
    namesIn: namesOnDisk,
    branchOf: branchOnDisk,
  };
  const ruleTools = createRuleTools({ rules, approvals, io, now });
  return {
    rules,
    policies,
    ruleTools,
    io,
    decisionCounts: new DecisionCounts({ db: core.journal.db, rules }),
    routes: [ruleRoutes({ rules, builtIn, policies, ruleTools, journal: core.journal, live: core.live })],
  };
}
