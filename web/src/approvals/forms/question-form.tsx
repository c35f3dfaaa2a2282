import { useId } from 'react';
import { clip } from '../../ui/format.ts';
import type { ApprovalDraft } from '../answer/approval-draft.ts';
import { type FormProps, useAnswer } from '../answer/use-answer.ts';
import { type Question, questionsIn } from '../request/describe-request.ts';
import { AnswerActions } from './answer-actions.tsx';
import { ExplainButton, RefusalForm } from './refusal-form.tsx';

export function QuestionForm({ approval, disabled }: FormProps) {
  const { draft, opened, write, decide } = useAnswer(approval);
  const questions = questionsIn(approval.toolInput);
  const answers = questions.map((question) => [question.question, answerTo(question, draft)] as const);
  const open = answers.filter(([, answer]) => answer.length === 0).length;
  if (draft.explaining && !approval.held) {
    return (
      <RefusalForm
        id={approval.id}
        label="What should it do instead? Sent to the agent."
        action="Decline"
        disabled={disabled}
        opened={opened}
        draft={draft}
        write={write}
        decide={decide}
      />
    );
  }
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (open === 0) decide({ decision: 'allow', answers: Object.fromEntries(answers.map(toAnswer)) });
      }}
    >
      {questions.map((question) => (
        <OneQuestion
          key={question.question}
          id={approval.id}
          question={question}
          draft={draft}
          write={write}
          disabled={disabled}
        />
      ))}
      <AnswerActions approval={approval}>
        <button type="submit" className="button" data-kind="primary" data-decides disabled={disabled || open > 0}>
          Answer
        </button>
        <ExplainButton label="Decline…" disabled={disabled} write={write} />
        {questions.length > 1 && open > 0 && (
          <span className="self-center text-ink-3">
            {questions.length - open} of {questions.length} answered
          </span>
        )}
      </AnswerActions>
    </form>
  );
}

const toAnswer = ([question, answer]: readonly [string, string[]]) =>
  [question, answer.length === 1 ? (answer[0] ?? '') : answer] as const;

function answerTo({ question, multiSelect, options }: Question, { chosen = {}, other = {} }: ApprovalDraft): string[] {
  const labels = options.map(({ label }) => label).filter((label) => chosen[question]?.includes(label));
  const free = other[question]?.trim() ?? '';
  if (!free) return labels;
  return multiSelect ? [...labels, free] : [free];
}

interface OneProps {
  id: string;
  question: Question;
  draft: ApprovalDraft;
  write: (part: ApprovalDraft) => void;
  disabled: boolean;
}

function OneQuestion({ id, question, draft, write, disabled }: OneProps) {
  const name = useId();
  const { question: text, header, multiSelect, options } = question;
  const chosen = draft.chosen?.[text] ?? [];
  const free = draft.other?.[text] ?? '';
  const setFree = (value: string) => write({ other: { ...draft.other, [text]: value } });

  function choose(label: string, on: boolean) {
    const next = multiSelect ? chosen.filter((one) => one !== label) : [];
    write({
      chosen: { ...draft.chosen, [text]: on ? [...next, label] : next },
      // Single choice: a written answer would override the selected option.
      ...(multiSelect ? {} : { other: { ...draft.other, [text]: '' } }),
    });
  }

  return (
    <fieldset className="question" disabled={disabled}>
      <legend>
        {header && <span className="question-header">{clip(header, { max: 60 })}</span>}
        <span dir="auto">{clip(text, { max: 4_000 })}</span>
        {multiSelect && <span className="font-normal text-ink-3"> (choose any)</span>}
      </legend>
      {options.map(({ label, description }) => (
        <label key={label} className="option">
          <input
            type={multiSelect ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.includes(label) && (multiSelect || free === '')}
            onChange={(event) => choose(label, event.target.checked)}
          />
          <span className="min-w-0">
            <bdi className="font-medium">{clip(label, { max: 300 })}</bdi>
            {description && (
              <span dir="auto" className="block text-ink-3">
                {clip(description, { max: 1_000 })}
              </span>
            )}
          </span>
        </label>
      ))}
      <input
        type="text"
        className="field"
        dir="auto"
        data-keep={`other:${id}:${text.slice(0, 200)}`}
        aria-label={options.length > 0 ? `Another answer to: ${clip(text, { max: 200 })}` : clip(text, { max: 200 })}
        placeholder={options.length > 0 ? 'Or in your own words' : 'Your answer'}
        value={free}
        onChange={(event) => setFree(event.target.value)}
      />
    </fieldset>
  );
}
