import { z } from 'zod';

/** observe: the client decides, and a review is queued. ask: the operator is asked. deny: denied. */
export const POLICIES = ['observe', 'ask', 'deny'] as const;
export type Policy = (typeof POLICIES)[number];

export const ProjectPolicy = z
  .object({
    project: z
      .union([z.literal(''), z.string().startsWith('/').max(4096)])
      .describe("The project's folder. Empty: every project without its own policy"),
    policy: z.enum(POLICIES),
  })
  .strict();
export const PolicyList = z.object({ policies: z.array(ProjectPolicy) });
