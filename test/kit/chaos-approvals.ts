import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import type { Approval } from '../../src/contract/approvals.ts';
import { answerDialog } from './answer-dialog.ts';
import { launchBrowser } from './browser.ts';
import { apiCaller } from './call-api.ts';
import { makeClientHome } from './client-home.ts';
import { checkout, cleanEnv, type DaemonProcess, newHome, startDaemonProcess } from './daemon-process.ts';
import { type Random, seededRandom } from './random.ts';
import { startInteractive } from './real-client.ts';
import { callTool, say, together } from './scripted-answer.ts';
import { type Scenario, startScriptedApi } from './scripted-api.ts';
import { waitFor } from './wait.ts';
import { GREETING, pressEnterIfUnsent, waitForHooks } from './wait-for-hooks.ts';

const run = promisify(execFile);
const DIALOG = /Do you want to proceed/;
const DECISIONS = ['allow', 'deny'] as const;
const CALLS = ['a', 'b', 'c'];

/** A real client with a scripted model, next to a daemon that may be killed. */
async function startDaemonWithClient(scenario: Scenario) {
  const api = await startScriptedApi([...scenario, GREETING]);
  const client = await makeClientHome({ apiUrl: api.url });
  const home = newHome();
  const env = { CLAUDE_CONFIG_DIR: client.configDir };
  // on the same port, so that the page finds it
  const up = (port = 0) => startDaemonProcess({ home, args: ['--hooks', '--port', String(port)], env });
  let daemon: DaemonProcess = await up();
  const { port } = daemon;
  let upSince = Date.now();
  const call = (method: string, path: string, body?: unknown) => apiCaller(daemon)(method, path, body);
  await call('PUT', '/api/undo-window', { seconds: 0 });
  const browser = await launchBrowser();
  const page = await (await browser.newContext()).newPage();
  await page.goto((await call('POST', '/api/links', { role: 'admin' })).json.url);
  const terminal = await startInteractive(client);
  const list = async (query = ''): Promise<Approval[]> => (await call('GET', `/api/approvals${query}`)).json.approvals;
  return {
    terminal,
    page,
    call,
    list,
    made: (name: string) => existsSync(join(client.project, name)),
    pending: (): Promise<Approval> =>
      waitFor(
        async () => {
          const [found] = await list('?status=pending');
          if (!found) await pressEnterIfUnsent(terminal);
          return found;
        },
        { what: 'an approval', timeout: 60_000, context: terminal.lastScreen },
      ),
    waitForHooks: () => waitForHooks({ terminal, call, since: upSince }),
    gctl: (...args: string[]) =>
      run(join(checkout, 'bin', 'gctl'), args, {
        env: cleanEnv(home, { GROUNDCONTROL_TOKEN: daemon.operatorToken }),
        cwd: home,
      }),
    kill: () => daemon.kill('SIGKILL'),
    async restart() {
      upSince = Date.now();
      daemon = await up(port);
    },
    async dispose() {
      await terminal.dispose();
      await browser.close();
      await daemon.kill('SIGTERM');
      await client.dispose();
      await api.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

type DaemonWithClient = Awaited<ReturnType<typeof startDaemonWithClient>>;

export interface ManyHandsRun {
  asked: number;
  byHand: Record<string, number>;
  /** Outcomes that differ from the answer. */
  wrong: string[];
}

/** Rounds of three parallel asks, each answered at random by a click on the page, over HTTP, by the CLI, or at the keyboard. */
export async function answerByManyHands({ rounds, seed }: { rounds: number; seed: number }): Promise<ManyHandsRun> {
  const random = seededRandom(seed);
  const scenario = range(rounds).map((round) => ({
    when: `round ${round} please`,
    reply: [
      together(...CALLS.map((name) => callTool('Bash', { command: `touch r${round}-${name}` }))),
      say(`Round ${round} is over.`),
    ],
  }));
  const world = await startDaemonWithClient(scenario);
  const result: ManyHandsRun = { asked: 0, byHand: {}, wrong: [] };
  try {
    for (const round of range(rounds)) {
      await world.terminal.prompt(`round ${round} please`);
      for (const name of CALLS) await answerOne(world, random, { file: `r${round}-${name}`, result });
      await world.terminal.waitForScreen(new RegExp(`Round ${round} is over`));
    }
    const all = await world.list('?limit=1000');
    if (all.length !== rounds * CALLS.length) result.wrong.push(`${all.length} approvals for ${result.asked} asks`);
    return result;
  } finally {
    await world.dispose();
  }
}

async function answerOne(
  world: DaemonWithClient,
  random: Random,
  { file, result }: { file: string; result: ManyHandsRun },
): Promise<void> {
  const { terminal, page, call, gctl, made } = world;
  const approval = await world.pending();
  const hand = random.pick(['browser', 'http', 'cli', 'keyboard']);
  // "No" at the keyboard ends the whole turn, including the other asks
  const decision = hand === 'keyboard' ? 'allow' : random.pick(DECISIONS);
  result.asked++;
  result.byHand[hand] = (result.byHand[hand] ?? 0) + 1;
  if (approval.toolInput.command !== `touch ${file}`)
    result.wrong.push(`${file}: asked for ${approval.toolInput.command}`);
  if (random.integer(0, 2) === 0) await sleep(random.integer(0, 1500));
  if (hand === 'browser') await click(page, approval, decision);
  else if (hand === 'http') await call('POST', `/api/approvals/${approval.id}/decision`, { decision });
  else if (hand === 'cli') await gctl(decision, approval.id).catch(() => undefined);
  else await pressEnter(terminal, file);
  const settled = await waitFor(
    async () => {
      const now: Approval = (await call('GET', `/api/approvals/${approval.id}`)).json;
      return now.status !== 'pending' && now.delivery?.state !== 'pending' ? now : undefined;
    },
    { what: `${file} to be settled`, timeout: 30_000, context: terminal.lastScreen },
  );
  const said = hand === 'keyboard' ? settled.status : `${settled.decision?.decision} ${settled.delivery?.state}`;
  const wanted = hand === 'keyboard' ? 'answered_in_terminal' : `${decision} delivered`;
  if (said !== wanted) result.wrong.push(`${file}: ${hand} said ${wanted}, the record ${said}`);
  if (decision === 'allow') await waitFor(() => made(file), { what: file, timeout: 20_000 }).catch(() => undefined);
  if (made(file) !== (decision === 'allow'))
    result.wrong.push(`${file}: ${hand} said ${decision}, and it was not done`);
}

/** The card shows the next request as soon as one is answered, so a button is identified by its request. */
async function click(page: Page, approval: Approval, decision: 'allow' | 'deny'): Promise<void> {
  const card = page.getByRole('article').filter({ hasText: String(approval.toolInput.command) });
  await card.getByRole('button', { name: decision === 'allow' ? 'Allow' : 'Deny', exact: true }).click();
}

/** The dialog of the next call looks the same, so it is identified by its file. */
const pressEnter = (terminal: DaemonWithClient['terminal'], file: string) =>
  answerDialog(terminal, new RegExp(`touch ${file}[\\s\\S]*Do you want to proceed`), 'Enter');

export interface KilledRun {
  rounds: number;
  delivered: number;
  notDelivered: number;
  /** Decided before the kill and delivered after it. */
  survived: number;
  byHand: Record<string, number>;
  wrong: string[];
}

/** Shown by the page only once a decision has arrived. */
const SAID = { allow: 'Allowed', deny: 'Denied' };

const MOMENTS = ['asked', 'shown', 'decided', 'delivered'] as const;

/** Rounds with a kill -9 of the daemon at a random moment of an approval's life. */
export async function killAtRandom({ rounds, seed }: { rounds: number; seed: number }): Promise<KilledRun> {
  const random = seededRandom(seed);
  const scenario = range(rounds).map((round) => ({
    when: `round ${round} please`,
    reply: [callTool('Bash', { command: `touch k${round}` }), say(`Round ${round} is over.`)],
  }));
  const world = await startDaemonWithClient(scenario);
  const result: KilledRun = { rounds, delivered: 0, notDelivered: 0, survived: 0, byHand: {}, wrong: [] };
  try {
    for (const round of range(rounds)) await killOnce(world, random, { round, result });
    return result;
  } finally {
    await world.dispose();
  }
}

async function killOnce(
  { terminal, page, call, gctl, pending, waitForHooks, kill, restart, made }: DaemonWithClient,
  random: Random,
  { round, result }: { round: number; result: KilledRun },
): Promise<void> {
  const moment = MOMENTS[round % MOMENTS.length]!;
  const decision = random.pick(DECISIONS);
  const hand = random.pick(['browser', 'http', 'cli']);
  result.byHand[hand] = (result.byHand[hand] ?? 0) + 1;
  /** True: the decider learned that it arrived. */
  const decide = async (approval: Approval): Promise<boolean> => {
    if (hand === 'cli') return (await gctl(decision, approval.id)).stdout.includes('delivered to');
    if (hand === 'http') {
      const { json } = await call('POST', `/api/approvals/${approval.id}/decision`, { decision });
      return json.delivery?.state === 'delivered';
    }
    await click(page, approval, decision);
    const said = page.getByText(new RegExp(`^${SAID[decision]} touch k${round}$`)).first();
    return said.waitFor({ timeout: 8_000 }).then(
      () => true,
      () => false,
    );
  };
  if (round > 0) await waitForHooks();
  await terminal.prompt(`round ${round} please`);
  const asked = await pending();
  const { id } = asked;
  if (moment === 'shown') await terminal.waitForScreen(DIALOG);
  let wasConfirmed = false;
  const note = (isDelivered: boolean) => {
    wasConfirmed = isDelivered;
  };
  if (moment === 'delivered') note(await decide(asked));
  const deciding = moment === 'decided' ? decide(asked).then(note, () => undefined) : Promise.resolve();
  // a command takes longer to decide
  await sleep(random.integer(0, moment !== 'decided' ? 400 : hand === 'cli' ? 600 : 60));
  await kill();
  await restart();
  await deciding;
  const read = async (): Promise<Approval> => (await call('GET', `/api/approvals/${id}`)).json;
  const wasDecided = (await read()).status === 'decided';
  if ((await read()).status === 'pending') {
    // the page shows the dialog's request again once it reconnects
    const isTold = await decide(asked).catch(() => false);
    wasConfirmed ||= isTold;
  }
  const settled = await waitFor(
    async () => {
      const now = await read();
      return now.status !== 'pending' && now.delivery?.state !== 'pending' ? now : undefined;
    },
    { what: `round ${round} to be settled`, timeout: 60_000, context: terminal.lastScreen },
  );
  const isDelivered = settled.delivery?.state === 'delivered';
  if (wasConfirmed && !isDelivered) result.wrong.push(`round ${round} (${moment}): a delivery was taken back`);
  if (isDelivered) result.delivered++;
  else {
    result.notDelivered++;
    // the terminal decides in this case; it may have accepted an answer that was never confirmed
    if (DIALOG.test(await terminal.screen()))
      await answerDialog(terminal, DIALOG, decision === 'allow' ? 'Escape' : 'Enter');
  }
  if (wasDecided && isDelivered) result.survived++;
  await terminal.waitForStatus('idle');
  if (isDelivered && made(`k${round}`) !== (decision === 'allow'))
    result.wrong.push(`round ${round} (${moment}): ${decision} was called delivered, and did not arrive`);
}

/** What happens at the keyboard within milliseconds of a remote decision. */
const TIES = [
  { key: 'Yes', decision: 'deny' },
  { key: 'No', decision: 'allow' },
  { key: 'Yes', decision: 'allow' },
] as const;

export interface AtOnceRun {
  rounds: number;
  /** By tie, who won. */
  won: Record<string, { keyboard: number; remote: number }>;
  /** Allowed by both, and first credited to the wrong one. */
  corrected: number;
  wrong: string[];
}

/**
 * Rounds in which a key and a remote decision arrive almost simultaneously. One of them counts; the record says which, and nothing is called
 * delivered first and corrected later. Every other call runs for two seconds, so its result isn't there when its decider wants to know.
 */
export async function answerAtOnce({ rounds, seed }: { rounds: number; seed: number }): Promise<AtOnceRun> {
  const random = seededRandom(seed);
  const commandOf = (round: number) =>
    round % 2 === 0 ? `touch o${round}` : `touch o${round}; for i in 1 2 3 4; do sleep 0.5; done`;
  const scenario = range(rounds).map((round) => ({
    when: `round ${round} please`,
    reply: [callTool('Bash', { command: commandOf(round) }), say(`Round ${round} is over.`)],
  }));
  const world = await startDaemonWithClient(scenario);
  const result: AtOnceRun = { rounds, won: {}, corrected: 0, wrong: [] };
  try {
    for (const round of range(rounds)) await answerOnceAtOnce(world, random, { round, result });
    return result;
  } finally {
    await world.dispose();
  }
}

async function answerOnceAtOnce(
  { terminal, call, pending, made }: DaemonWithClient,
  random: Random,
  { round, result }: { round: number; result: AtOnceRun },
): Promise<void> {
  const { key, decision } = TIES[round % TIES.length]!;
  await terminal.prompt(`round ${round} please`);
  const { id } = await pending();
  await terminal.waitForScreen(DIALOG);
  // a new dialog doesn't take keys yet
  await sleep(700);
  if (key === 'No') {
    await terminal.press('Up');
    await terminal.waitForScreen(/❯ \d\. No/);
  }
  const [first, second] = [random.integer(0, 120), random.integer(0, 120)];
  const [answer] = await Promise.all([
    sleep(first).then(() => call('POST', `/api/approvals/${id}/decision`, { decision })),
    sleep(second).then(() => terminal.press('Enter')),
  ]);
  const read = async (): Promise<Approval> => (await call('GET', `/api/approvals/${id}`)).json;
  const settled = await waitFor(
    async () => {
      const now = await read();
      return now.status !== 'pending' && now.delivery?.state !== 'pending' ? now : undefined;
    },
    { what: `round ${round} to be settled`, timeout: 60_000, context: terminal.lastScreen },
  );
  await terminal.waitForStatus('idle');
  // the last word of the client, and time to correct what was said too soon
  await sleep(3000);
  const last = await read();
  const ran = made(`o${round}`);
  const says = ({ status, delivery }: Approval) => `${status} ${delivery?.state ?? ''} ${delivery?.why ?? ''}`;
  const isDelivered = last.delivery?.state === 'delivered';
  const tie = `${key} and ${decision}`;
  const won = result.won[tie] ?? { keyboard: 0, remote: 0 };
  won[isDelivered ? 'remote' : 'keyboard']++;
  result.won[tie] = won;
  const note = (what: string) => result.wrong.push(`round ${round} (${tie}): ${what}`);
  if (key === 'Yes' && decision === 'allow') {
    // it ran in any case, and for whom shows once it is over
    if (!ran) note('the call was refused');
    if (says(settled) !== says(last)) result.corrected++;
    return;
  }
  if (isDelivered !== (ran === (decision === 'allow')))
    note(`the call ${ran ? 'ran' : 'was refused'}, the record says ${says(last)}`);
  if (says(settled) !== says(last)) note(`said ${says(settled)}, then ${says(last)}`);
  if (answer.status === 200 && answer.json.delivery?.state === 'delivered' && !isDelivered)
    note(`the ${decision} was called delivered, and wasn't`);
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
