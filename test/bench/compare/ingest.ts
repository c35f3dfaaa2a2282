import { HOOK_TOKEN_HEADER } from '../../../src/daemon/access/guard.ts';
import { startDaemonProcess } from '../../kit/daemon-process.ts';
import { generateLoad, postRequest } from '../../kit/generate-load.ts';
import { inTurn, Rounds, type Side } from './sides.ts';

const SECONDS = 2;

const body = (sessionId: string) => ({
  session_id: sessionId,
  transcript_path: `/home/op/.claude/projects/-home-op-app/${sessionId}.jsonl`,
  cwd: '/home/op/app',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm run build -- --step 1', description: 'Build the app once more' },
  tool_use_id: 'toolu_1',
});

/** Durable hook posts. */
export async function compareIngest(sides: readonly Side[], rounds: number): Promise<void> {
  const daemons = await Promise.all(
    sides.map(async (side) => ({ side, daemon: await startDaemonProcess({ args: ['--no-hooks'], from: side.from }) })),
  );
  try {
    for (const connections of [1, 32, 256]) {
      const many = connections === 1 ? 'one connection' : `${connections} connections`;
      const p50 = new Rounds(`hook post, ${many}: p50`, 'µs');
      const each = new Rounds(`… for each post`, 'µs');
      // the first round warms up the JIT
      for (let round = -1; round < rounds; round++) {
        for (const side of inTurn(sides, round)) {
          const { port, credentials } = daemons.find((one) => one.side === side)!.daemon;
          const headers = { [HOOK_TOKEN_HEADER]: credentials.hookToken };
          const request = postRequest({
            port,
            path: '/api/live/hook',
            headers,
            body: body(`${side.name}-${connections}`),
          });
          const { p50Us, perSecond } = await generateLoad({ port, request, connections, seconds: SECONDS });
          if (round < 0) continue;
          p50.add(side, p50Us);
          each.add(side, 1e6 / perSecond);
        }
      }
      p50.print();
      each.print();
    }
  } finally {
    for (const { daemon } of daemons) await daemon.dispose();
  }
}
