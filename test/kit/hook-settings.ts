import { HOOK_EVENTS } from '@anthropic-ai/claude-agent-sdk';

// The client does not fire these two as http hooks.
const COMMAND_ONLY = new Set(['SessionStart', 'Setup']);
// An observer must not register these: their response becomes the result (a path) or rewrites the screen.
const NEVER = new Set(['WorktreeCreate', 'MessageDisplay']);

/** A `settings.json` that posts every event an observer may register to one address. */
export function hookSettings(url: string): { hooks: Record<string, unknown> } {
  const hooks: Record<string, unknown> = {};
  for (const event of HOOK_EVENTS) {
    if (NEVER.has(event)) continue;
    hooks[event] = [{ hooks: [COMMAND_ONLY.has(event) ? postByCurl(url) : { type: 'http', url, timeout: 600 }] }];
  }
  return { hooks };
}

function postByCurl(url: string) {
  const command = `curl -s --max-time 5 -H 'content-type: application/json' --data-binary @- '${url}' || true`;
  return { type: 'command', command };
}
