import { z } from 'zod';

/** The one error format: `code` for programs, `message` for people (it names the thing and the fix). */
export const ErrorBody = z.object({
  error: z.looseObject({ code: z.string(), message: z.string() }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
