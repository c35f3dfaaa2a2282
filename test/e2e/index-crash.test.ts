import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { IndexStatus } from '../../src/contract/history.ts';
import { openSqlite } from '../../src/daemon/journal/sqlite.ts';
import { makeCorpus } from '../bench/corpus/make-corpus.ts';
import { type DaemonProcess, startDaemonProcess } from '../kit/daemon-process.ts';
import { waitFor } from '../kit/wait.ts';

const KILLS = 4;

async function statusOf({ url, credentials }: DaemonProcess): Promise<IndexStatus> {
  const headers = { authorization: `Bearer ${credentials.localToken}` };
  return IndexStatus.parse(await (await fetch(`${url}/api/history/status`, { headers })).json());
}

/** The full content of the index, regardless of insertion order. */
function contentOf({ dataDir }: DaemonProcess): object {
  const db = openSqlite(join(dataDir, 'history.db'));
  const all = (sql: string) => (db.prepare(sql).all() as object[]).map((row) => ({ ...row }));
  try {
    return {
      usage: all(
        `SELECT path, at, model, branch, messages, u.input, output, cache_read, cache_write_5m, cache_write_1h, total_usd
         FROM usage u JOIN files f ON f.id = file_id ORDER BY path, at, model, branch`,
      ),
      pieces: all(
        `SELECT path, start, block, uuid, kind, tool, at FROM pieces JOIN files f ON f.id = file_id ORDER BY path, start, block`,
      ),
      words: all(`SELECT COUNT(*) AS n FROM text WHERE text MATCH 'session'`),
      sessions: all('SELECT * FROM sessions ORDER BY id'),
      files: all('SELECT path, totals_offset, text_offset, facts FROM files ORDER BY path'),
    };
  } finally {
    db.close();
  }
}

test('the index loses and duplicates nothing when it is killed repeatedly', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gc-index-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { bytes } = makeCorpus({ folder, bytes: 40_000_000, files: 60, seed: 5 });
  const start = (home?: string) =>
    startDaemonProcess({ ...(home ? { home } : {}), args: ['--no-hooks'], env: { CLAUDE_CONFIG_DIR: folder } });
  const idle = (daemon: DaemonProcess) =>
    waitFor(async () => (await statusOf(daemon)).phase === 'idle', { what: 'the whole index', timeout: 120_000 });

  const unharmed = await start();
  onTestFinished(() => unharmed.dispose());
  await idle(unharmed);
  const home = mkdtempSync(join(tmpdir(), 'gc-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (let kill = 0; kill < KILLS; kill++) {
    const daemon = await start(home);
    // a little later each time: during the totals, in between, and during the text
    await waitFor(
      async () => {
        const { phase, bytes: read } = await statusOf(daemon);
        return phase === 'idle' || (phase === 'text' && read.done > (bytes * kill) / (KILLS * 2)) || kill === 0;
      },
      { what: 'some of the index', interval: 5 },
    );
    await daemon.kill('SIGKILL');
  }
  const last = await start(home);
  onTestFinished(() => last.dispose());
  await idle(last);
  expect(contentOf(last)).toEqual(contentOf(unharmed));
});
