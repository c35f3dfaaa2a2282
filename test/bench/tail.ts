import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  watch,
} from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { HOOK_TOKEN_HEADER } from '../../src/daemon/access/guard.ts';
import { type DaemonProcess, startDaemonProcess } from '../kit/daemon-process.ts';
import { percentile, sleep } from '../kit/generate-load.ts';
import { measureSteal } from '../kit/measure-steal.ts';
import { seededRandom } from '../kit/random.ts';
import { openSse, type SseMessage } from '../kit/sse-client.ts';
import { waitFor } from '../kit/wait.ts';

/** How soon a transcript write shows on its card: from the write to the SSE message with the new tokens. */

const WRITES = 100;
/** Irregular, so that writes hit every phase of the interval between two reads of a session. */
const PAUSE_MS = { least: 20, most: 340 };
const OTHERS = 200;
const OTHER_LINES_PER_SECOND = 50;
const PROJECTS = 10;
const AIM_MS = 500;
const OUTPUT_TOKENS = 7;

const random = seededRandom(11);
const folder = mkdtempSync(join(tmpdir(), 'gc-bench-tail-'));
const stolen = measureSteal();
console.log(
  `# npm run bench tail\n\n${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}, load ${loadavg()[0]!.toFixed(1)} at the start\n`,
);
const daemon = await startDaemonProcess({ args: ['--no-hooks'], env: { CLAUDE_CONFIG_DIR: folder } });
try {
  await run();
} finally {
  await daemon.dispose();
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const stream = await openSse({ url: daemon.url, token: daemon.credentials.localToken });
  const latest = new Map<string, LiveSession>();
  let onSession: (session: LiveSession) => void = () => undefined;
  stream.onMessage = ({ event, data }: SseMessage) => {
    stream.messages.length = 0;
    if (event !== 'session_discovered' && event !== 'session_updated') return;
    latest.set(data.id, data);
    onSession(data);
  };
  const begin = async (project: number) => {
    const session = createSession(project);
    session.write();
    await postHook(daemon, session);
    return session;
  };
  const isRead = ({ id, written }: Session) => (latest.get(id)?.tokens?.outputTokens ?? 0) >= written;

  const session = await begin(0);
  await waitFor(() => isRead(session), { what: 'the session on the board' });
  const show = (name: string, all: number[]) => {
    const of = (share: number) => `${percentile(all, share).toFixed(1)} ms`;
    const late = all.filter((ms) => ms > AIM_MS).length;
    console.log(`| ${name} | ${of(50)} | ${of(95)} | ${of(100)} | ${late} of ${all.length} |`);
  };
  console.log(`| from the write | p50 | p95 | worst | later than ${AIM_MS} ms |\n| --- | ---: | ---: | ---: | ---: |`);
  const measure = async (meanwhile: string) => {
    const { card, bare } = await measureWrites(session, (listener) => {
      onSession = listener;
    });
    show(`to a bare \`fs.watch\` that reads it${meanwhile}`, bare);
    show(`to the card's new tokens${meanwhile}`, card);
  };
  await measure('');

  const others: Session[] = [];
  for (let n = 0; n < OTHERS; n++) others.push(await begin(n % PROJECTS));
  await waitFor(() => others.every(isRead), { what: 'the other sessions on the board' });
  const busy = keepWriting(others);
  await measure(`, ${OTHERS} others at ${OTHER_LINES_PER_SECOND} lines/s`);
  const lines = busy.stop();
  await waitFor(() => others.every(isRead), { what: 'what the others wrote on their cards' });
  stream.close();
  console.log(
    `\nThe others wrote ${lines.toFixed(0)} lines/s. Others on the host took ${stolen()} of the processors' time; load ${loadavg()[0]!.toFixed(1)} at the end.`,
  );
}

type Session = ReturnType<typeof createSession>;

/** A session that writes its transcript one line at a time, as the client does. */
function createSession(project: number) {
  const id = random.uuid();
  const place = join(folder, 'projects', `-work-app${project}`);
  mkdirSync(place, { recursive: true });
  const session = {
    id,
    folder: place,
    path: join(place, `${id}.jsonl`),
    /** Output tokens so far. */
    written: 0,
    write() {
      session.written += OUTPUT_TOKENS;
      appendFileSync(session.path, `${answerLine(id)}\n`);
    },
  };
  return session;
}

function answerLine(sessionId: string): string {
  const words = 'The tests pass, so I go on with the next file. '.repeat(random.integer(1, 60));
  return JSON.stringify({
    isSidechain: false,
    message: {
      model: 'claude-opus-5',
      id: `msg_${random.hex(24)}`,
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: words }],
      stop_reason: null,
      usage: { input_tokens: 3, output_tokens: OUTPUT_TOKENS, cache_read_input_tokens: 40_000 },
    },
    requestId: `req_${random.hex(24)}`,
    type: 'assistant',
    uuid: random.uuid(),
    timestamp: new Date().toISOString(),
    cwd: '/work/app',
    sessionId,
  });
}

/** Milliseconds from each write to the card and to the bare watcher. */
async function measureWrites(
  session: Session,
  listen: (listener: (told: LiveSession) => void) => void,
): Promise<{ card: number[]; bare: number[] }> {
  const card: number[] = [];
  const bare: number[] = [];
  const untold: { tokens: number; at: number }[] = [];
  const unseen: { size: number; at: number }[] = [];
  listen(({ id, tokens }) => {
    if (id !== session.id) return;
    while (untold[0] && untold[0].tokens <= (tokens?.outputTokens ?? 0))
      card.push(performance.now() - untold.shift()!.at);
  });
  let position = statSync(session.path).size;
  const watcher = watch(session.folder, () => {
    position += readFrom(session.path, position);
    while (unseen[0] && unseen[0].size <= position) bare.push(performance.now() - unseen.shift()!.at);
  });
  for (let n = 0; n < WRITES; n++) {
    await sleep(random.integer(PAUSE_MS.least, PAUSE_MS.most));
    const at = performance.now();
    session.write();
    untold.push({ tokens: session.written, at });
    unseen.push({ size: statSync(session.path).size, at });
  }
  await waitFor(() => card.length === WRITES && bare.length === WRITES, { what: 'the last write to be told' });
  watcher.close();
  return { card, bare };
}

function readFrom(path: string, position: number): number {
  const fd = openSync(path, 'r');
  try {
    return readSync(fd, Buffer.alloc(64 * 1024), 0, 64 * 1024, position);
  } finally {
    closeSync(fd);
  }
}

/** Writes lines to all of them in turn. `stop` returns the lines per second. */
function keepWriting(sessions: Session[]): { stop(): number } {
  const began = performance.now();
  let lines = 0;
  const timer = setInterval(() => {
    // by the clock, to catch up after a late timer
    const due = ((performance.now() - began) / 1000) * OTHER_LINES_PER_SECOND;
    for (; lines < due; lines++) sessions[lines % sessions.length]!.write();
  }, 1000 / OTHER_LINES_PER_SECOND);
  return {
    stop() {
      clearInterval(timer);
      return lines / ((performance.now() - began) / 1000);
    },
  };
}

async function postHook({ url, credentials }: DaemonProcess, { id, path }: Session): Promise<void> {
  const { status } = await fetch(`${url}/api/live/hook`, {
    method: 'POST',
    headers: { [HOOK_TOKEN_HEADER]: credentials.hookToken },
    body: JSON.stringify({
      session_id: id,
      transcript_path: path,
      cwd: '/work/app',
      hook_event_name: 'UserPromptSubmit',
      prompt: 'go on',
    }),
  });
  if (status !== 200) throw new Error(`the hook was answered with ${status}`);
}
