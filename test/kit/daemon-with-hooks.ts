import { onTestFinished } from 'vitest';
import { apiCaller } from './call-api.ts';
import { type DaemonProcess, startDaemonProcess } from './daemon-process.ts';

/** A daemon, and sessions whose hooks the test sends. Disposed of with the test. Decisions take effect immediately by default. */
export async function startDaemonWithHooks({ undoSeconds = 0 } = {}) {
  const tower = await openDaemonWithHooks({ undoSeconds });
  onTestFinished(tower.daemon.dispose);
  return tower;
}

/** The same, shared by several tests, which dispose of the daemon. */
export async function openDaemonWithHooks({ undoSeconds = 0 } = {}) {
  const daemon: DaemonProcess = await startDaemonProcess();
  const call = apiCaller(daemon);
  await call('PUT', '/api/away', { away: true });
  await call('PUT', '/api/undo-window', { seconds: undoSeconds });
  const send = (payload: Record<string, unknown>) =>
    fetch(`${daemon.url}/api/live/hook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-groundcontrol-token': daemon.credentials.hookToken },
      body: JSON.stringify(payload),
    });
  return {
    daemon,
    call,
    hook: {
      send,
      start: (id: string, prompt: string) => send({ session_id: id, hook_event_name: 'UserPromptSubmit', prompt }),
      /** Resolves when the request is decided. */
      async ask(id: string, command: string, toolUseId: string) {
        const tool = { session_id: id, tool_name: 'Bash', tool_input: { command } };
        await send({ ...tool, hook_event_name: 'PreToolUse', tool_use_id: toolUseId });
        // the daemon may be gone before the decision
        await send({ ...tool, hook_event_name: 'PermissionRequest' }).catch(() => undefined);
      },
    },
  };
}
