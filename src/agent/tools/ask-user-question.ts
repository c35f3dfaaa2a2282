import { z } from 'zod';
import { defineTool, failed, ok } from './tool.ts';

const Question = z.object({
  question: z.string().min(1).max(2000),
  header: z.string().max(50).optional(),
  multiSelect: z.boolean().optional(),
  options: z
    .array(z.object({ label: z.string().min(1).max(200), description: z.string().max(1000).optional() }))
    .max(10),
});

/** The operator answers by allowing the call with `answers` in its input: for each question, the chosen label or free text. */
export function askUserQuestionTool() {
  return defineTool({
    name: 'AskUserQuestion',
    description: 'Ask the operator when you cannot decide something yourself. Give options where you can.',
    input: z.object({
      questions: z.array(Question).min(1).max(4),
      answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
    }),
    gate: 'free',
    permission: 'question',
    async run({ questions, answers = {} }) {
      const lines = questions.map(({ question }) => {
        const answer = answers[question];
        return answer === undefined ? undefined : `${question}\n${[answer].flat().join(', ')}`;
      });
      const given = lines.filter((line) => line !== undefined);
      return given.length > 0 ? ok(given.join('\n\n')) : failed('The operator gave no answer.');
    },
  });
}
