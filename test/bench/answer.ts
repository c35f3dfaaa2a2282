import type { Approval } from '../../src/contract/approvals.ts';
import { apiCaller } from '../kit/call-api.ts';
import { makeClientHome } from '../kit/client-home.ts';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { percentile } from '../kit/generate-load.ts';
import { startInteractive } from '../kit/real-client.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { startScriptedApi } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

/** How soon a real terminal continues after a remote decision, and how soon we learn of one made at its keyboard. */

const ROUNDS = 10;
const question = {
  questions: [
    {
      question: 'Which?',
      header: 'W',
      multiSelect: false,
      options: [
        { label: 'A', description: 'a' },
        { label: 'B', description: 'b' },
      ],
    },
  ],
};

/** When the model got the outcome, which means that the client has continued. */
let wentOnAt = 0;
const told = () => {
  wentOnAt = Date.now();
  return say('Good.');
};

const api = await startScriptedApi([
  { when: 'touch', reply: [callTool('Bash', { command: 'touch a.txt' }), told] },
  { when: 'ask', reply: [callTool('AskUserQuestion', question), told] },
]);
const home = await makeClientHome({ apiUrl: api.url });
const daemon = await startDaemonProcess({ args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir } });
const client = await startInteractive(home);
const call = apiCaller(daemon);

try {
  console.log(
    '# npm run bench answer\n\n| decision | from the post to the model being told: p50 | worst |\n| --- | ---: | ---: |',
  );
  await fromOutside('allow', 'touch', { decision: 'allow' });
  await fromOutside('deny', 'touch', { decision: 'deny', message: 'no' });
  await fromOutside('answer', 'ask', { decision: 'allow', answers: { 'Which?': 'A' } });
  await atTheKeyboard();
} finally {
  await client.dispose();
  await daemon.dispose();
  await home.dispose();
  await api.close();
}

async function fromOutside(name: string, prompt: string, decision: object): Promise<void> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await askFor(prompt);
    const postedAt = Date.now();
    await call('POST', `/api/approvals/${id}/decision`, decision);
    await waitFor(() => wentOnAt > 0, { what: 'the client to go on', interval: 2 });
    took.push(wentOnAt - postedAt);
    await client.waitForStatus('idle');
  }
  console.log(`| ${name} | ${percentile(took, 50)} ms | ${percentile(took, 100)} ms |`);
}

async function atTheKeyboard(): Promise<void> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await askFor('touch');
    await client.waitForScreen(/Do you want to proceed/);
    await waitFor(
      async () => {
        await client.press('Enter');
        return waitFor(() => wentOnAt > 0, { what: 'the key to be taken', timeout: 2000 }).catch(() => false);
      },
      { what: 'the dialog to be answered', timeout: 60_000 },
    );
    const settled = await waitFor(
      async () => {
        const { json } = await call('GET', `/api/approvals/${id}`);
        return json.status === 'pending' ? undefined : (json as Approval);
      },
      { what: 'the approval to be settled' },
    );
    took.push(Math.max(0, (settled.settledAt ?? 0) - wentOnAt));
    await client.waitForStatus('idle');
  }
  console.log(
    `\nAnswered at the keyboard: settled ${percentile(took, 50)} ms after the client went on (worst ${percentile(took, 100)} ms)`,
  );
}

async function askFor(prompt: string): Promise<Approval> {
  wentOnAt = 0;
  await client.prompt(prompt);
  return waitFor(async () => (await call('GET', '/api/approvals?status=pending')).json.approvals[0], {
    what: 'an approval',
    timeout: 60_000,
  });
}
