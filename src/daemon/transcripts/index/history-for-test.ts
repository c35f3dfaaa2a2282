import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { migrate } from '../../journal/migrations.ts';
import { openSqlite } from '../../journal/sqlite.ts';
import { piecesOf } from '../lines/line-pieces.ts';
import { Prices } from '../prices/prices.ts';
import { toIndexText } from '../search/index-text.ts';
import { dayOf, marksOf } from '../search/piece-marks.ts';
import type { ReaderContext } from '../threads/queries.ts';
import { RecentAnswers } from '../threads/recent-answers.ts';
import { Projects } from './projects.ts';
import { openHistory } from './schema.ts';

interface TestUsage {
  at: string;
  model?: string;
  input?: number;
  output?: number;
  cacheRead?: number;
  write5m?: number;
  branch?: string;
  agentId?: string;
}

interface TestSession {
  id: string;
  cwd?: string;
  title?: string;
  branch?: string;
  lines?: Record<string, unknown>[];
  usage?: TestUsage[];
  touched?: string[];
}

/** A real history.db with real transcripts and a real journal, filled with just what a test needs. */
export function makeHistory(sessions: TestSession[]): ReaderContext & { ask(approval: Record<string, unknown>): void } {
  const folder = mkdtempSync(join(tmpdir(), 'gc-history-'));
  const projects = join(folder, 'claude', 'projects', 'p');
  mkdirSync(projects, { recursive: true });
  const db = openHistory(join(folder, 'history.db'));
  const journalPath = join(folder, 'journal.db');
  const journal = openSqlite(journalPath);
  migrate(journal, journalPath);
  onTestFinished(() => {
    db.close();
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const prices = new Prices();
  const insert = (table: string, row: Record<string, unknown>) =>
    db
      .prepare(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map(() => '?')})`)
      .run(...Object.values(row));
  let fileId = 0;
  let pieceId = 0;
  for (const { id, cwd = '/work/app', title = id, branch = 'main', lines = [], usage = [], touched = [] } of sessions) {
    fileId++;
    const path = join(projects, `${id}.jsonl`);
    const texts = lines.map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(path, texts.join(''));
    insert('files', {
      id: fileId,
      path,
      session_id: id,
      parser: 1,
      size: 0,
      mtime_ms: 0,
      inode: 0,
      born_ms: fileId,
      edges: '',
      totals_offset: 0,
      text_offset: 0,
      problems: '{}',
      usage: '{}',
    });
    let start = 0;
    for (const [index, line] of lines.entries()) {
      const at = Date.parse(line.timestamp as string);
      const { model = 'claude-opus-5' } = line.message as { model?: string };
      for (const { block, kind, tool, text } of piecesOf(line)) {
        pieceId++;
        insert('origins', {
          id: pieceId,
          file_id: fileId,
          session_id: id,
          born_ms: fileId,
          model,
          branch: line.gitBranch ?? branch,
          is_forked: 0,
        });
        insert('pieces', {
          id: pieceId,
          file_id: fileId,
          start,
          block,
          uuid: line.uuid ?? null,
          kind,
          tool,
          at,
          origin: pieceId,
          length: text.length,
        });
        insert('text', { rowid: pieceId, body: toIndexText(text), kinds: marksOf({ kind, at, fileId, tool }) });
        db.prepare('INSERT OR IGNORE INTO days (day) VALUES (?)').run(dayOf(at));
      }
      start += Buffer.byteLength(texts[index]!);
    }
    for (const one of usage) {
      const { at, model = 'claude-opus-5', input = 0, output = 0, cacheRead = 0, write5m = 0 } = one;
      const cost = prices.costOf(model, {
        inputTokens: input,
        outputTokens: output,
        cacheReadTokens: cacheRead,
        cacheCreationTokens: write5m,
        cacheCreation1hTokens: 0,
      });
      insert('usage', {
        file_id: fileId,
        session_id: id,
        agent_id: one.agentId ?? null,
        at: Date.parse(at),
        model,
        branch: one.branch ?? branch,
        messages: 1,
        input,
        output,
        cache_read: cacheRead,
        cache_write_5m: write5m,
        cache_write_1h: 0,
        total_usd: cost?.totalUsd ?? null,
        input_usd: cost?.inputCostUsd ?? null,
        output_usd: cost?.outputCostUsd ?? null,
        cache_read_usd: cost?.cacheReadCostUsd ?? null,
        cache_write_usd: cost?.cacheCreationCostUsd ?? null,
      });
    }
    for (const file of touched)
      insert('touched', { file_id: fileId, session_id: id, path: file, edits: 1, reads: 2, added: 3, removed: 4 });
    const times = [...lines.map((line) => line.timestamp as string), ...usage.map(({ at }) => at)].map((at) =>
      Date.parse(at),
    );
    insert('sessions', {
      id,
      path,
      bytes: start,
      title,
      cwd,
      branch,
      model: usage[0]?.model ?? 'claude-opus-5',
      started_at: times.length > 0 ? Math.min(...times) : null,
      last_at: Math.max(0, ...times),
      prompts: 0,
      messages: 0,
      tool_calls: 0,
      lines_added: 0,
      lines_removed: 0,
      sub_agents: 0,
    });
  }
  return {
    db,
    projects: new Projects(),
    recent: new RecentAnswers(),
    prices: new Prices(),
    paths: {
      historyPath: join(folder, 'history.db'),
      journalPath,
      configDir: join(folder, 'claude'),
    },
    ask(approval) {
      const { id, sessionId, status, createdAt } = approval as Record<string, string>;
      journal
        .prepare(
          "INSERT INTO approvals (id, origin, correlation_id, session_id, status, created_at, body) VALUES (?, 'hook', ?, ?, ?, ?, ?)",
        )
        .run(id, id, sessionId, status, createdAt, JSON.stringify(approval));
    },
  };
}

export function promptLine(text: string, timestamp: string, rest = {}): Record<string, unknown> {
  return { type: 'user', timestamp, message: { role: 'user', content: text }, ...rest };
}

export function answerLine(content: unknown[], timestamp: string, rest = {}): Record<string, unknown> {
  return { type: 'assistant', timestamp, message: { role: 'assistant', content }, ...rest };
}
