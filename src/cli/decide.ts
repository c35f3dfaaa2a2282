import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Approval, DecisionRequest } from '../contract/approvals.ts';
import { fieldsOf } from '../contract/form-fields.ts';
import * as routes from '../contract/routes/approvals.ts';
import { connect } from './api.ts';
import { pendingApprovals } from './approvals.ts';
import { decideUndoably, undo } from './await-undo.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { describeApproval } from './describe-approval.ts';
import { describeDecision } from './describe-delivery.ts';
import { CliError, EXIT } from './exit.ts';
import { findApproval } from './find-approval.ts';
import { oneLine, print, printJson, printLines } from './output.ts';
import { type Question, readAnswer } from './read-answer.ts';
import { readFields } from './read-fields.ts';

interface DecideOptions extends DataDirOption {
  json?: boolean;
  now?: boolean;
}

const nowOption = () => new Option('--now', 'skip the undo window (scripts always do)');

export function addDecisions(program: Command): void {
  withJson(program.command('allow <id...>'))
    .description('allow requests (ID prefixes accepted)')
    .addOption(new Option('--input <json>', 'allow it with this input instead (JSON, or @FILE)').conflicts('always'))
    .option('--always', 'also create a rule that allows calls like this from now on')
    .addOption(nowOption())
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl allow 3f2a\n  gctl allow 3f2a --always\n  gctl allow 3f2a --input \'{"command": "npm test"}\'',
    )
    .action((ids: string[], { input, always, ...options }: DecideOptions & { input?: string; always?: true }) =>
      always
        ? allowAlways(ids, options)
        : decideAll(ids, { decision: 'allow', ...(input ? { updatedInput: parseInput(input) } : {}) }, options),
    );

  withJson(program.command('deny <id...>'))
    .description('deny requests (ID prefixes accepted)')
    .option('-m, --message <text>', 'reason to give the agent')
    .option('--interrupt', 'also stop this turn')
    .addOption(nowOption())
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl deny 3f2a -m "Write the tests first"')
    .action(
      (ids: string[], { message, interrupt, ...options }: DecideOptions & { message?: string; interrupt?: boolean }) =>
        decideAll(
          ids,
          { decision: 'deny', ...(message ? { message } : {}), ...(interrupt ? { interrupt } : {}) },
          options,
        ),
    );

  program
    .command('undo [id]')
    .description('undo a decision within its undo window (default: the latest)')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl undo\n  gctl undo 3f2a')
    .action(undoDecision);

  withJson(program.command('answer <id> <answer...>'))
    .description('answer a question or fill in a form')
    .addOption(nowOption())
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
Give one answer per question, in order: an option's number or label, several joined by commas, or your own words. For a form, give
its fields as name=value.

Examples:
  gctl answer 3f2a 1
  gctl answer 3f2a Blue 1,3
  gctl answer 3f2a "neither, use gray"
  gctl answer 3f2a name=Ada newsletter=yes`,
    )
    .action(async (id: string, answers: string[], options: DecideOptions) => {
      const api = await connect(options.dataDir);
      // lists truncate long texts, and a form's choices with them
      const approval = await api.call(routes.getApproval, { params: await findApproval(api, id) });
      await decideAll([approval.id], { decision: 'allow', ...toAnswer(approval, answers) }, options);
    });
}

function toAnswer(approval: Approval, given: string[]): Pick<DecisionRequest, 'answers' | 'updatedInput'> {
  if (approval.kind === 'question') return { answers: toAnswers(approval, given) };
  if (approval.kind === 'elicitation') return { updatedInput: readFields(approval.toolInput.schema, given) };
  throw new CliError(`${approval.id.slice(0, 8)} isn't a question. Use gctl allow or gctl deny.`, EXIT.usage);
}

async function decideAll(
  prefixes: string[],
  request: DecisionRequest,
  { dataDir, json, now }: DecideOptions,
): Promise<void> {
  const api = await connect(dataDir);
  const found = await Promise.all(prefixes.map((prefix) => findApproval(api, prefix)));
  if (request.decision === 'allow') for (const approval of found) refuseBareYes(approval, request);
  // a script has no use for an undo window
  const undoable = process.stdout.isTTY === true && !json && !now;
  for (const { id } of found) {
    if (undoable)
      printLines(
        describeApproval(await api.call(routes.getApproval, { params: { id } }), {
          maxLines: Number.POSITIVE_INFINITY,
        }),
      );
    const { answer, decided } = await decideUndoably(api, () =>
      api.call(routes.decideApproval, { params: { id }, body: { ...request, undoable } }),
    );
    if (json) printJson(decided);
    else print(`${id.slice(0, 8)}  ${describeDecision(decided)}`);
    const covered = answer.alsoSettled?.map((other) => other.slice(0, 8)) ?? [];
    if (covered.length > 0 && !json) print(`          Also decided by the new rule: ${covered.join(', ')}`);
    // recorded, but without effect
    if (decided.delivery?.state === 'not_delivered') process.exitCode = EXIT.failed;
  }
}

async function undoDecision(prefix: string | undefined, { dataDir }: DataDirOption): Promise<void> {
  const api = await connect(dataDir);
  const { approvals } = await pendingApprovals(api);
  const held = approvals.filter((approval) => approval.held && (!prefix || approval.id.startsWith(prefix)));
  const last = held.toSorted((a, b) => (b.held?.until ?? 0) - (a.held?.until ?? 0))[0];
  if (!last?.held) throw new CliError('Nothing to undo: no decision is in its undo window.');
  await undo(api, last.id);
  print(`${last.id.slice(0, 8)}  Undone, pending again: ${oneLine(last.toolName)}`);
}

/** One after another: the first one's rule may have decided the second. */
async function allowAlways(prefixes: string[], options: DecideOptions): Promise<void> {
  const api = await connect(options.dataDir);
  const found = await Promise.all(prefixes.map((prefix) => findApproval(api, prefix)));
  for (const { id } of found) {
    const prefix = id.slice(0, 8);
    const now = await api.call(routes.getApproval, { params: { id } });
    if (now.decision?.ruleId) {
      if (options.json) printJson(now);
      else print(`${prefix}  ${describeDecision(now)}`);
      continue;
    }
    const { draft, text, applies, why } = await api.call(routes.getAlwaysRule, { params: { id } });
    if (!applies)
      throw new CliError(
        `No rule was created, because it wouldn't apply: ${why} To allow it just this once: gctl allow ${prefix}`,
      );
    await decideAll([id], { decision: 'allow', remember: draft }, options);
    if (!options.json) print(`          New rule: ${text} See gctl rules.`);
  }
}

/** A plain yes doesn't answer a question or form: say so before deciding anything else in the same command. */
function refuseBareYes({ id, kind, toolInput }: Approval, { answers, updatedInput }: DecisionRequest): void {
  if (answers || updatedInput) return;
  const short = id.slice(0, 8);
  if (kind === 'question') throw new CliError(`${short} is a question. Answer it: gctl answer ${short} …`, EXIT.usage);
  if (kind !== 'elicitation') return;
  const required = fieldsOf(toolInput.schema).filter((field) => field.required && field.initial === '');
  if (required.length === 0) return;
  const words = required.map(({ name }) => `${name}=…`).join(' ');
  throw new CliError(`${short} is a form with required fields. Fill it in: gctl answer ${short} ${words}`, EXIT.usage);
}

function toAnswers({ toolInput }: Approval, given: string[]): Record<string, string | string[]> {
  const questions = (toolInput.questions ?? []) as Question[];
  if (given.length !== questions.length)
    throw new CliError(
      `Expected ${questions.length} ${questions.length === 1 ? 'answer' : 'answers'}, got ${given.length}.`,
      EXIT.usage,
    );
  return Object.fromEntries(
    questions.map((question, index) => [question.question, readAnswer(given[index]!, question)]),
  );
}

function parseInput(text: string): Record<string, unknown> {
  const json = text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text;
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new CliError(`--input isn't valid JSON: ${(error as Error).message}`, EXIT.usage);
  }
}
