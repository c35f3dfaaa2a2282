import { apiCaller } from '../../kit/call-api.ts';
import { makeClientHome } from '../../kit/client-home.ts';
import { startDaemonProcess } from '../../kit/daemon-process.ts';
import { startInteractive } from '../../kit/real-client.ts';
import { callTool, say } from '../../kit/scripted-answer.ts';
import { startScriptedApi } from '../../kit/scripted-api.ts';
import { waitFor } from '../../kit/wait.ts';
import { inTurn, Rounds, type Side } from './sides.ts';

/** From the decision to the model's next request, with a real client in a terminal. */
export async function compareAnswer(sides: readonly Side[], rounds: number): Promise<void> {
  const terminals = await Promise.all(sides.map(openTerminal));
  try {
    const took = new Rounds('decision until the model reads it', 'ms');
    for (let round = -1; round < rounds; round++) {
      for (const side of inTurn(sides, round)) {
        const ms = await terminals.find((one) => one.side === side)!.decide();
        if (round >= 0) took.add(side, ms);
      }
    }
    took.print();
  } finally {
    for (const { dispose } of terminals) await dispose();
  }
}

async function openTerminal(side: Side) {
  let toldAt = 0;
  const told = () => {
    toldAt = performance.now();
    return say('Good.');
  };
  const api = await startScriptedApi([{ when: 'touch', reply: [callTool('Bash', { command: 'touch a.txt' }), told] }]);
  const home = await makeClientHome({ apiUrl: api.url });
  const env = { CLAUDE_CONFIG_DIR: home.configDir };
  const daemon = await startDaemonProcess({ args: ['--hooks'], env, from: side.from });
  const client = await startInteractive(home);
  const call = apiCaller(daemon);
  await call('PUT', '/api/undo-window', { seconds: 0 });

  async function decide(): Promise<number> {
    toldAt = 0;
    await client.prompt('touch');
    const pending = async () => (await call('GET', '/api/approvals?status=pending')).json.approvals[0];
    const { id } = await waitFor(pending, { what: 'an approval', timeout: 60_000 });
    await client.waitForScreen(/Do you want to proceed/);
    const postedAt = performance.now();
    await call('POST', `/api/approvals/${id}/decision`, { decision: 'allow' });
    await waitFor(() => toldAt > 0, { what: 'the client to continue', interval: 1 });
    await client.waitForStatus('idle');
    return toldAt - postedAt;
  }

  async function dispose(): Promise<void> {
    await client.dispose();
    await daemon.dispose();
    await home.dispose();
    await api.close();
  }

  return { side, decide, dispose };
}
