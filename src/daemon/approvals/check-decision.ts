import type { Approval, Decision, DecisionRequest } from '../../contract/approvals.ts';
import { contentProblem, fieldsOf } from '../../contract/form-fields.ts';
import { DomainError } from '../errors.ts';
import { findInputProblem } from './check-input.ts';

type Checked = Pick<Decision, 'decision' | 'how' | 'message' | 'updatedInput' | 'answers' | 'interrupt'>;

interface Question {
  question: string;
}

/** A decision the asker can carry out, or an error that says what is missing. */
export function checkDecision(approval: Approval, request: Omit<DecisionRequest, 'remember'>): Checked {
  const { decision, message, updatedInput, interrupt } = request;
  const how = checkVariant(approval, request);
  if (decision === 'deny') {
    if (updatedInput || request.answers) throw bad("A denial can't edit the input or answer questions.");
    return { decision, ...how, ...(message ? { message } : {}), ...(interrupt ? { interrupt } : {}) };
  }
  if (interrupt) throw bad('`interrupt` ends the turn, so it only works with deny.');
  if (approval.kind === 'question') return { decision, answers: checkAnswers(approval, request.answers) };
  if (request.answers) throw bad(`A ${approval.kind} request has no questions to answer.`);
  const problem = problemOf(approval, updatedInput);
  if (problem) throw bad(problem);
  return { decision, ...how, ...(message ? { message } : {}), ...(updatedInput ? { updatedInput } : {}) };
}

/** Only the built-in agent runs commands that it can move or drop; a client has its own dialog for that. */
function checkVariant(
  { origin, toolName }: Approval,
  { decision, how, updatedInput }: DecisionRequest,
): Pick<Checked, 'how'> {
  if (how === undefined) return {};
  if (origin !== 'runner') throw bad(`\`${how}\` works only for sessions that Ground Control hosts.`);
  if ((how === 'background') !== (decision === 'allow'))
    throw bad(how === 'background' ? '`background` needs the decision allow.' : '`kill` needs the decision deny.');
  if (how === 'background' && toolName !== 'Bash') throw bad(`${toolName} can't run in the background.`);
  if (how === 'background' && updatedInput) throw bad("A command can't be edited and sent to the background at once.");
  return { how };
}

function problemOf(approval: Approval, updatedInput: DecisionRequest['updatedInput']): string | undefined {
  const { kind, toolInput } = approval;
  if (kind === 'permission' && updatedInput) return findInputProblem(approval, updatedInput);
  return kind === 'elicitation' ? contentProblem(fieldsOf(toolInput.schema), updatedInput ?? {}) : undefined;
}

function checkAnswers({ toolInput }: Approval, given: DecisionRequest['answers'] = {}): Record<string, string> {
  const questions = (Array.isArray(toolInput.questions) ? toolInput.questions : []) as Question[];
  const unknown = Object.keys(given).filter((text) => !questions.some(({ question }) => question === text));
  if (unknown.length > 0) throw bad(`Not one of the questions: ${unknown.join(' / ')}`);
  return Object.fromEntries(
    questions.map(({ question }) => {
      const answer = given[question];
      const text = Array.isArray(answer) ? answer.join(', ') : answer;
      if (!text) throw bad(`No answer to: ${question}`);
      return [question, text];
    }),
  );
}

function bad(message: string): DomainError {
  return new DomainError('approval.bad_decision', 400, message);
}
