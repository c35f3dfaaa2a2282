import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Approval } from '../../src/contract/approvals.ts';
import { caller } from './caller.ts';
import { makeClientHome } from './client-home.ts';
import { checkout, cleanEnv, type DaemonProcess, newHome, startDaemonProcess } from './daemon-process.ts';
import { pressOn } from './press-on.ts';
import { type Random, seededRandom } from './random.ts';
import { startInteractive } from './real-client.ts';
import { callTool, say, together } from './scripted-answer.ts';
import { type Scenario, startScriptedApi } from './scripted-api.ts';
import { waitFor } from './wait.ts';

const run = promisify(execFile);
const DIALOG = /Do you want to proceed/;
const CALLS = ['a', 'b', 'c'];

/** A real client under a scripted model, beside a daemon that may be killed. */
async function startWorld(scenario: Scenario) {
  const api = await startScriptedApi(scenario);
  const client = await makeClientHome({ apiUrl: api.url });
  const home = newHome();
  const env = { CLAUDE_CONFIG_DIR: client.configDir };
  const up = () => startDaemonProcess({ home, args: ['--hooks'], env });
  let daemon: DaemonProcess = await up();
  const terminal = await startInteractive(client);
  const call = (method: string, path: string, body?: unknown) => caller(daemon)(method, path, body);
  const list = async (query = ''): Promise<Approval[]> => (await call('GET', `/api/approvals${query}`)).json.approvals;
  return {
    terminal,
    call,
    list,
    made: (name: string) => existsSync(join(client.project, name)),
    pending: (): Promise<Approval> =>
      waitFor(async () => (await list('?status=pending'))[0], {
        what: 'an approval',
        timeout: 60_000,
        context: terminal.lastScreen,
      }),
    gctl: (...args: string[]) =>
      run(join(checkout, 'bin', 'gctl'), args, {
        env: cleanEnv(home, { GROUNDCONTROL_TOKEN: daemon.operatorToken }),
        cwd: home,
      }),
    kill: () => daemon.kill('SIGKILL'),
    async restart() {
      daemon = await up();
    },
    async dispose() {
      await terminal.dispose();
      await daemon.kill('SIGTERM');
      await client.dispose();
      await api.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

type World = Awaited<ReturnType<typeof startWorld>>;

export interface ManyHandsRun {
  asked: number;
  byHand: Record<string, number>;
  /** What went otherwise than it was answered. */
  wrong: string[];
}

/** Rounds of three parallel asks, each answered at random over HTTP as the page does, by the CLI, or at the keyboard. */
export async function answerByManyHands({ rounds, seed }: { rounds: number; seed: number }): Promise<ManyHandsRun> {
  const random = seededRandom(seed);
  const scenario = range(rounds).map((round) => ({
    when: `round ${round} please`,
    reply: [
      together(...CALLS.map((name) => callTool('Bash', { command: `touch r${round}-${name}` }))),
      say(`Round ${round} is over.`),
    ],
  }));
  const world = await startWorld(scenario);
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
  world: World,
  random: Random,
  { file, result }: { file: string; result: ManyHandsRun },
): Promise<void> {
  const { terminal, call, gctl, made } = world;
  const approval = await world.pending();
  const hand = random.pick(['page', 'cli', 'keyboard']);
  // "No" at the keyboard ends the whole turn, and the other asks with it
  const decision = hand === 'keyboard' ? 'allow' : random.pick(['allow', 'deny']);
  result.asked++;
  result.byHand[hand] = (result.byHand[hand] ?? 0) + 1;
  if (approval.toolInput.command !== `touch ${file}`)
    result.wrong.push(`${file}: asked for ${approval.toolInput.command}`);
  if (random.integer(0, 2) === 0) await sleep(random.integer(0, 1500));
  if (hand === 'page') await call('POST', `/api/approvals/${approval.id}/decision`, { decision });
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

/** The dialog of the next call looks the same, so it is told by its file. */
const pressEnter = (terminal: World['terminal'], file: string) =>
  pressOn(terminal, new RegExp(`touch ${file}[\\s\\S]*Do you want to proceed`), 'Enter');

export interface KilledRun {
  rounds: number;
  delivered: number;
  notDelivered: number;
  /** Decided before the kill, and delivered after it. */
  survived: number;
  wrong: string[];
}

const MOMENTS = ['asked', 'shown', 'decided', 'delivered'] as const;

/** Rounds with a kill -9 of the daemon at a random moment of an approval's life. */
export async function killAtRandom({ rounds, seed }: { rounds: number; seed: number }): Promise<KilledRun> {
  const random = seededRandom(seed);
  const scenario = range(rounds).map((round) => ({
    when: `round ${round} please`,
    reply: [callTool('Bash', { command: `touch k${round}` }), say(`Round ${round} is over.`)],
  }));
  const world = await startWorld(scenario);
  const result: KilledRun = { rounds, delivered: 0, notDelivered: 0, survived: 0, wrong: [] };
  try {
    for (const round of range(rounds)) await killOnce(world, random, { round, result });
    return result;
  } finally {
    await world.dispose();
  }
}

async function killOnce(
  { terminal, call, pending, kill, restart, made }: World,
  random: Random,
  { round, result }: { round: number; result: KilledRun },
): Promise<void> {
  const moment = MOMENTS[round % MOMENTS.length]!;
  const decision = random.pick(['allow', 'deny']);
  const decide = (id: string) => call('POST', `/api/approvals/${id}/decision`, { decision });
  await terminal.prompt(`round ${round} please`);
  const { id } = await pending();
  if (moment === 'shown') await terminal.waitForScreen(DIALOG);
  const confirmed = { isDelivered: false };
  const note = ({ json }: { json: Approval }) => {
    confirmed.isDelivered = json.delivery?.state === 'delivered';
  };
  if (moment === 'delivered') note(await decide(id));
  const deciding = moment === 'decided' ? decide(id).then(note, () => undefined) : Promise.resolve();
  await sleep(random.integer(0, moment === 'decided' ? 40 : 400));
  await kill();
  await deciding;
  await restart();
  const read = async (): Promise<Approval> => (await call('GET', `/api/approvals/${id}`)).json;
  const wasDecided = (await read()).status === 'decided';
  if ((await read()).status === 'pending') await decide(id);
  const settled = await waitFor(
    async () => {
      const now = await read();
      return now.status !== 'pending' && now.delivery?.state !== 'pending' ? now : undefined;
    },
    { what: `round ${round} to be settled`, timeout: 60_000, context: terminal.lastScreen },
  );
  const isDelivered = settled.delivery?.state === 'delivered';
  if (confirmed.isDelivered && !isDelivered) result.wrong.push(`round ${round} (${moment}): a delivery was taken back`);
  if (isDelivered) result.delivered++;
  else {
    result.notDelivered++;
    // the terminal is what answers then; it may have taken the answer that nobody could confirm
    if (DIALOG.test(await terminal.screen()))
      await pressOn(terminal, DIALOG, decision === 'allow' ? 'Escape' : 'Enter');
  }
  if (wasDecided && isDelivered) result.survived++;
  await terminal.waitForStatus('idle');
  if (isDelivered && made(`k${round}`) !== (decision === 'allow'))
    result.wrong.push(`round ${round} (${moment}): ${decision} was called delivered, and did not arrive`);
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
