import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { migrate } from '../../journal/migrations.ts';
import { openSqlite } from '../../journal/sqlite.ts';
import { Prices } from '../prices/prices.ts';
import type { ReaderContext } from '../threads/queries.ts';
import { RecentAnswers } from '../threads/recent-answers.ts';
import { scanOne } from '../threads/scan-thread.ts';
import { Indexer } from './indexer.ts';
import { Projects } from './projects.ts';
import { readText } from './read-text.ts';
import { openHistory } from './schema.ts';

/** A real index of real files. `onReadingEnds`: after a lot of text, when the indexer finishes reading. */
export function makeIndex({ onReadingEnds = () => undefined as unknown } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'gc-index-'));
  const projects = join(folder, 'projects');
  mkdirSync(projects);
  const db = openHistory(join(folder, 'history.db'));
  let isOpen = true;
  const close = () => {
    if (isOpen) db.close();
    isOpen = false;
  };
  onTestFinished(() => {
    close();
    rmSync(folder, { recursive: true, force: true });
  });
  const newIndexer = () =>
    new Indexer({
      db,
      projects: () => [projects],
      prices: new Prices(),
      scanMany: async (scans, onScanned, prices) => {
        for (const [place, scan] of scans.entries()) onScanned(place, scanOne(scan, prices));
      },
      async *readMany(jobs) {
        try {
          for (const job of jobs) yield* readText(job);
        } finally {
          await onReadingEnds();
        }
      },
      isStopped: () => false,
      onProgress: () => undefined,
    });
  let indexer = newIndexer();
  const all = (sql: string) => (db.prepare(sql).all() as object[]).map((row) => ({ ...row }));
  return {
    folder,
    path: (name: string) => join(projects, name),
    write(name: string, content: string | Buffer) {
      const path = join(projects, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    scan: () => indexer.scan(),
    touch: (path: string) => indexer.touch(path),
    retryUnreadable: () => indexer.retryUnreadable(),
    status: () => indexer.status(),
    setPrices: (prices: Prices) => indexer.setPrices(prices),
    /** As after a restart: what was in memory is gone. */
    restart() {
      indexer = newIndexer();
    },
    all,
    /** For queries; nothing was ever approved. */
    reader(): ReaderContext {
      const journalPath = join(folder, 'journal.db');
      const journal = openSqlite(journalPath);
      migrate(journal, journalPath);
      journal.close();
      return {
        db,
        projects: new Projects(),
        recent: new RecentAnswers(),
        prices: new Prices(),
        paths: { historyPath: join(folder, 'history.db'), journalPath, configDir: folder },
      };
    },
    /** All usage by day and model. */
    totals: () =>
      all(
        `SELECT at / 86400000 AS day, model, SUM(messages) AS messages, SUM(input) AS input, SUM(output) AS output,
           SUM(cache_read) AS cacheRead, SUM(cache_write_5m) AS write5m, SUM(cache_write_1h) AS write1h,
           ROUND(SUM(total_usd), 9) AS usd
         FROM usage GROUP BY day, model ORDER BY day, model`,
      ),
    pieces: () =>
      all(
        `SELECT path, start, block, uuid, kind, tool, at FROM pieces JOIN files ON files.id = file_id
         ORDER BY path, start, block`,
      ),
    find: (words: string) =>
      all(
        `SELECT session_id AS sessionId, agent_id AS agentId, kind, uuid FROM text JOIN pieces ON pieces.id = text.rowid
         JOIN files ON files.id = file_id WHERE text MATCH 'body : (${words})' ORDER BY pieces.id`,
      ),
  };
}

let lastLine = 0;

interface AnswerFields {
  id: string;
  output?: number;
  at?: string;
  model?: string;
  text?: string;
  content?: object[];
  uuid?: string;
  gitBranch?: string;
  sessionId?: string;
  isSidechain?: boolean;
  forkedFrom?: { sessionId: string };
}

export function answer({ id, output = 10, at = '2026-11-16T10:00:00.000Z', ...more }: AnswerFields): string {
  const { model = 'claude-opus-4-5-20251101', text = 'Done.', sessionId = 's1', isSidechain = false } = more;
  return JSON.stringify({
    isSidechain,
    message: {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model,
      content: more.content ?? [{ type: 'text', text }],
      stop_reason: null,
      usage: {
        input_tokens: 3,
        output_tokens: output,
        cache_read_input_tokens: 1000,
        cache_creation_input_tokens: 50,
        cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
      },
    },
    requestId: `req_${id}`,
    type: 'assistant',
    uuid: more.uuid ?? `u${++lastLine}`,
    timestamp: at,
    sessionId,
    gitBranch: more.gitBranch,
    forkedFrom: more.forkedFrom,
  });
}

export function prompt(text: string, more: object = {}): string {
  return JSON.stringify({
    type: 'user',
    message: { role: 'user', content: text },
    uuid: `u${++lastLine}`,
    timestamp: '2026-11-16T09:59:00.000Z',
    cwd: '/work/app',
    sessionId: 's1',
    ...more,
  });
}

export function lines(...all: string[]): string {
  return all.map((line) => `${line}\n`).join('');
}

/** The client's own sum, as written when it leaves a session. */
export function costState(state: {
  sessionId: string;
  startTime: number;
  duration?: number;
  models: Record<string, Partial<Record<ModelUsageField, number>>>;
}): string {
  const { sessionId, startTime, duration = 1000, models } = state;
  const modelUsage = Object.fromEntries(
    Object.entries(models).map(([model, used]) => [
      model,
      {
        inputTokens: 0,
        outputTokens: 0,
        cacheReadInputTokens: 0,
        cacheCreationInputTokens: 0,
        webSearchRequests: 0,
        costUSD: 0,
        ...used,
      },
    ]),
  );
  return JSON.stringify({ type: 'cost-state', sessionId, totalDuration: duration, startTime, modelUsage });
}

type ModelUsageField =
  | 'inputTokens'
  | 'outputTokens'
  | 'cacheReadInputTokens'
  | 'cacheCreationInputTokens'
  | 'cacheCreationEphemeral1hInputTokens'
  | 'webSearchRequests'
  | 'costUSD';
