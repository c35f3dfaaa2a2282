import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { Approval, type DecisionRequest } from '../contract/approvals.ts';
import { AlwaysRule } from '../contract/rules.ts';
import { type Api, connect } from './api.ts';
import { pendingApprovals } from './approvals.ts';
import { CliError, EXIT } from './exit.ts';
import { print, printJson } from './output.ts';
import { type DataDirOption, dataDirOption, withJson } from './places.ts';
import { type Question, readAnswer } from './read-answer.ts';

interface DecideOptions extends DataDirOption {
  json?: boolean;
}

export function addDecisions(program: Command): void {
  withJson(program.command('allow <id...>'))
    .description('allow what waits; the beginning of an id will do')
    .addOption(new Option('--input <json>', 'with this input instead (JSON, or @FILE)').conflicts('always'))
    .option('--always', 'and make a rule, so that calls like it are allowed from now on')
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
    .description('deny what waits')
    .option('-m, --message <text>', 'what the agent is told')
    .option('--interrupt', 'end the turn as well')
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

  withJson(program.command('answer <id> <answer...>'))
    .description(
      'answer the questions of one approval, in order: a number, a label, several joined by commas, or your own words',
    )
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl answer 3f2a 1\n  gctl answer 3f2a Blue 1,3\n  gctl answer 3f2a "neither, use a grey"',
    )
    .action(async (id: string, answers: string[], options: DecideOptions) => {
      const approval = await findApproval(await connect(options.dataDir), id);
      if (approval.kind !== 'question')
        throw new CliError(
          `${approval.id.slice(0, 8)} is no question. \`gctl allow\` or \`gctl deny\` decides it.`,
          EXIT.usage,
        );
      await decideAll([id], { decision: 'allow', answers: toAnswers(approval, answers) }, options);
    });
}

async function decideAll(
  prefixes: string[],
  request: DecisionRequest,
  { dataDir, json }: DecideOptions,
): Promise<void> {
  const api = await connect(dataDir);
  const found = await Promise.all(prefixes.map((prefix) => findApproval(api, prefix)));
  for (const { id } of found) {
    const decided = await api.post(`/api/approvals/${id}/decision`, Approval, request);
    if (json) printJson(decided);
    else print(`${id.slice(0, 8)}  ${request.decision === 'allow' ? 'allowed' : 'denied'}: ${decided.toolName}`);
  }
}

/** One after another: the rule of the first may already cover the second. */
async function allowAlways(prefixes: string[], options: DecideOptions): Promise<void> {
  const api = await connect(options.dataDir);
  for (const prefix of prefixes) {
    const { id } = await findApproval(api, prefix);
    const { draft, text, applies, why } = await api.get(`/api/approvals/${id}/rule`, AlwaysRule);
    if (!applies)
      throw new CliError(`No rule was made, since it would not apply: ${why} Allow it this once: gctl allow ${prefix}`);
    await decideAll([id], { decision: 'allow', remember: draft }, options);
    if (!options.json) print(`          From now on: ${text} \`gctl rules\` lists it.`);
  }
}

async function findApproval(api: Api, prefix: string): Promise<Approval> {
  const { approvals } = await pendingApprovals(api);
  const found = approvals.filter(({ id }) => id.startsWith(prefix));
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new CliError(
      `More than one approval begins with ${prefix}: ${found.map(({ id }) => id.slice(0, 12)).join(', ')}`,
      EXIT.usage,
    );
  throw new CliError(`Nothing that waits begins with ${prefix}. \`gctl approvals\` lists what does.`);
}

function toAnswers({ toolInput }: Approval, given: string[]): Record<string, string | string[]> {
  const questions = (toolInput.questions ?? []) as Question[];
  if (given.length !== questions.length)
    throw new CliError(`${questions.length} questions, ${given.length} answers.`, EXIT.usage);
  return Object.fromEntries(
    questions.map((question, index) => [question.question, readAnswer(given[index]!, question)]),
  );
}

function parseInput(text: string): Record<string, unknown> {
  const json = text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text;
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new CliError(`--input is not JSON: ${(error as Error).message}`, EXIT.usage);
  }
}
