import { replaceHidden } from '../../../../contract/hidden-characters.ts';
import type { Prompt } from '../../../../contract/prompts.ts';
import { cutLine } from '../../../sessions/clip.ts';
import type { Responder } from '../intake/intake.ts';
import { REWAKE_SUMMARY } from '../settings/hook-entries.ts';

/** The terminal shows the same line for each of our prompts. The hook's answer contains the text, so the person at the terminal can read it. */
export function namePrompts(lastDelivered: (sessionId: string) => Prompt | undefined): Responder {
  return ({ payload }) => {
    const { hook_event_name: event, session_id: sessionId, prompt: submitted } = payload;
    if (event !== 'UserPromptSubmit' || typeof submitted !== 'string' || !isFromHere(submitted)) return undefined;
    const last = lastDelivered(sessionId);
    return last && { systemMessage: `${last.by}: ${oneLine(last.text)}` };
  };
}

/** The way the client submits what woke it. */
const isFromHere = (submitted: string) =>
  submitted.startsWith('<task-notification>') && submitted.includes(`<summary>${REWAKE_SUMMARY}</summary>`);

const SHOWN = 300;

/** Characters that would move the cursor or hide text must not reach the terminal. */
function oneLine(text: string): string {
  return cutLine(
    replaceHidden(text.slice(0, 8 * SHOWN), () => ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    SHOWN,
  );
}
