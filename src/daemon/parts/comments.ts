import type { DiffComment } from '../../contract/comments.ts';
import { Comments } from '../comments/comments.ts';
import { lineIn } from '../comments/line-at.ts';
import { DomainError } from '../errors.ts';
import { commentRoutes } from '../http/comments.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import { sendMessage } from '../orchestrator/send-message.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import type { Base } from './base.ts';
import type { ControlPart } from './control.ts';
import type { CorePart } from './core.ts';

/** A prompt of the operator waits this long for the session's next turn. */
const EXPIRES_SECONDS = 86_400;
/** Enough to find a line that no hunk shows anymore. */
const CONTEXT = 1000;

interface Needs extends Pick<CorePart, 'core'>, Pick<ControlPart, 'prompts'> {
  worktrees: Worktrees;
  orchestrator: Orchestrator;
}

/** The operator's comments on diffs. */
export function commentsPart({ now }: Base, { core, prompts, worktrees, orchestrator }: Needs) {
  const comments = new Comments({
    core,
    now,
    async tell(sessionId, text, by) {
      const request = { text, expiresInSeconds: EXPIRES_SECONDS, asText: true };
      await sendMessage(sessionId, request, by, { orchestrator, prompts });
    },
    async lineAt(comment: DiffComment) {
      // what a session's tools changed is history: it stays as it was commented on
      if (comment.subject.kind === 'session') return comment.code;
      const asked = { path: comment.path, context: CONTEXT };
      const diff = await worktrees.diffFile(comment.subject.id, asked).catch((error: unknown) => {
        if (error instanceof DomainError) return undefined;
        throw error;
      });
      return diff && lineIn(diff, comment);
    },
  });
  return { comments, routes: [commentRoutes({ comments })] };
}
