import { z } from 'zod';

/** on: without Ground Control, no tool runs there. off: like any other project. broken: it should be on but isn't, see `detail`. */
export const STRICT_STATES = ['on', 'off', 'broken'] as const;

export const StrictProject = z.object({
  path: z.string().describe('The root of the repository, or the folder'),
  file: z.string().describe('The project settings file with our entry'),
  state: z.enum(STRICT_STATES),
  detail: z.string().describe('One sentence for the operator'),
  fix: z.string().nullable(),
});
export type StrictProject = z.infer<typeof StrictProject>;

export const StrictProjects = z.object({ projects: z.array(StrictProject) });
export type StrictProjects = z.infer<typeof StrictProjects>;

export const StrictChange = z
  .object({
    path: z.string().min(1).describe('A folder of the project'),
    strict: z.boolean(),
  })
  .strict();
export type StrictChange = z.infer<typeof StrictChange>;
