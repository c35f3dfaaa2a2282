import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { IndexStatus } from '../../src/contract/history.ts';
import type { MessagePage } from '../../src/contract/messages.ts';
import { apiCaller } from '../kit/call-api.ts';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { percentile } from '../kit/generate-load.ts';
import { waitFor } from '../kit/wait.ts';
import { makeCorpus } from './corpus/make-corpus.ts';

/** How fast a page of one very long transcript loads over HTTP, during and after indexing. */

const MEGABYTES = 500;
const ROUNDS = 50;

const folder = mkdtempSync(join(tmpdir(), 'gc-bench-messages-'));
try {
  await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  makeCorpus({ folder, bytes: MEGABYTES * 1024 * 1024, files: 1, seed: 7 });
  const projects = join(folder, 'projects');
  const path = join(
    projects,
    readdirSync(projects, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.jsonl'))!,
  );
  const cat = time(() => execFileSync('sh', ['-c', 'cat "$1" > /dev/null', 'sh', path]));
  const daemon = await startDaemonProcess({ env: { CLAUDE_CONFIG_DIR: folder } });
  const base = `/api/sessions/${basename(path, '.jsonl')}`;
  const call = apiCaller(daemon);
  const get = async (query: string) => (await call('GET', `${base}/messages?${query}`)).json as MessagePage;
  try {
    console.log(
      `# npm run bench messages\n\nOne transcript of ${MEGABYTES} MB; \`cat\` of it takes ${cat.toFixed(0)} ms.\n`,
    );
    console.log('| page of 100 | best | p50 | p95 | worst |\n| --- | ---: | ---: | ---: | ---: |');
    const first = await took(() => get(''));
    console.log(`| the very first, the reader's start included | | | | ${first.toFixed(1)} ms |`);
    await measure('the newest, while it is indexed', () => get(''));
    await waitFor(async () => ((await call('GET', '/api/history/status')).json as IndexStatus).phase === 'idle', {
      what: 'the index',
      timeout: 600_000,
      interval: 500,
    });
    await measure('the newest', () => get(''));
    await measure('the oldest', () => get('from=start'));
    const last = await get('');
    await measure('before the newest', () => get(`before=${last.start}`));
    await measure('what is new: nothing', () => get(`after=${last.end}`));
    const { messages } = await get('from=start&limit=500');
    await measure('around a message near the start', () => get(`around=${messages[300]!.id}`));
    console.log();
    for (const format of ['md', 'html', 'json']) await measureExport(format);
  } finally {
    await daemon.dispose();
  }

  async function measureExport(format: string): Promise<void> {
    const headers = { authorization: `Bearer ${daemon.credentials.localToken}` };
    let bytes = 0;
    const ms = await took(async () => {
      const { body } = await fetch(`${daemon.url}${base}/export?format=${format}`, { headers });
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
    });
    const speed = (MEGABYTES / ms) * 1000;
    console.log(
      `export as ${format}, secrets masked: ${(ms / 1000).toFixed(1)} s, ${speed.toFixed(0)} MB/s of transcript, ${Math.round(bytes / 1e6)} MB written; the daemon peaked at ${peakMb(daemon.pid)} MB`,
    );
  }
}

async function measure(name: string, ask: () => Promise<unknown>): Promise<void> {
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round++) all.push(await took(ask));
  const show = (share: number) => `${percentile(all, share).toFixed(1)} ms`;
  console.log(`| ${name} | ${show(0)} | ${show(50)} | ${show(95)} | ${show(100)} |`);
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function time(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function peakMb(pid: number): number {
  const [, kb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kb) / 1024);
}
