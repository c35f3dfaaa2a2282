import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { HookPayload } from '../../../../contract/hooks.ts';

/** A plan is one to ten pages; anything larger is something else. */
const MAX_PLAN_BYTES = 512 * 1024;

/** The model writes its plan to a file first; the request names the file or contains the text. */
export async function readPlan({ tool_input }: HookPayload): Promise<string | undefined> {
  const { plan, planFilePath } = (tool_input ?? {}) as { plan?: unknown; planFilePath?: unknown };
  const written = isText(planFilePath) ? await readPlanFile(planFilePath).catch(() => undefined) : undefined;
  return written ?? (isText(plan) ? plan : undefined);
}

/**
 * An agent chose this path, and viewers see what is read: only a Markdown file of a plan's size in a plans folder, never a pipe or device,
 * and nothing behind a link.
 */
async function readPlanFile(path: string): Promise<string | undefined> {
  const folder = dirname(path);
  if (!path.endsWith('.md') || basename(folder) !== 'plans') return undefined;
  const real = join(await realpath(dirname(folder)), 'plans', basename(path));
  if ((await realpath(path)) !== real) return undefined;
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const info = await file.stat();
    return info.isFile() && info.size <= MAX_PLAN_BYTES ? await file.readFile('utf8') : undefined;
  } finally {
    await file.close();
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
