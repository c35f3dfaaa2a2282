import { closeSync, mkdirSync, openSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Random, seededRandom } from '../../kit/random.ts';
import type { Writer } from './lines.ts';
import { ORDINARY, type Style } from './style.ts';
import { turn } from './turn.ts';
import { makeText } from './words.ts';

const MODELS = [
  'claude-opus-4-5-20251101',
  'claude-opus-4-5-20251101',
  'claude-sonnet-4-5-20250929',
  'claude-sonnet-4-5-20250929',
  'claude-haiku-4-5-20251001',
  'claude-opus-4-1-20250805',
] as const;
const PROJECTS = ['app', 'api', 'web', 'infra', 'docs', 'mobile', 'data', 'tools', 'lab'] as const;
const BRANCHES = ['main', 'main', 'fix/login', 'feat/search', 'chore/deps', 'feat/ünïcode'] as const;
const FIRST_DAY = Date.UTC(2026, 7, 1, 6);
const DAY_MS = 86_400_000;
const FLUSH = 1024 * 1024;

export interface CorpusOptions {
  /** The config dir. Transcripts go in its `projects` folder. */
  folder: string;
  bytes: number;
  files: number;
  seed: number;
  days?: number;
  style?: Style;
}

/** Transcripts like those of a busy year. The same options give the same bytes. */
export function makeCorpus(options: CorpusOptions): { files: number; bytes: number } {
  const { folder, bytes, files, seed, days = 90, style = ORDINARY } = options;
  const random = seededRandom(seed);
  const text = makeText(random, Math.min(16_000_000, Math.max(400_000, bytes / 8)));
  const weights = Array.from({ length: files }, () =>
    Math.exp((random.next() + random.next() + random.next() - 1.5) * style.spread),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let written = 0;
  let parent: { folder: string; writer: Writer } | undefined;
  let lastPath: string | undefined;
  for (const [n, weight] of weights.entries()) {
    const project = random.pick(PROJECTS);
    const isSubAgent = parent !== undefined && random.chance(style.subAgents);
    const writer: Writer =
      isSubAgent && parent
        ? { ...parent.writer, agentId: `a${random.hex(16)}`, parentUuid: null }
        : {
            sessionId: random.uuid(),
            agentId: undefined,
            cwd: `/home/op/${project}`,
            branch: random.pick(BRANCHES),
            version: `2.1.${random.integer(40, 325)}`,
            text,
            random,
            now: FIRST_DAY + random.integer(0, days - 1) * DAY_MS + random.integer(0, DAY_MS),
            parentUuid: null,
            style,
            keyOrder: random.pick(style.keyOrders),
          };
    const home: string = isSubAgent && parent ? parent.folder : join(folder, 'projects', `-home-op-${project}`);
    const path = isSubAgent
      ? join(home, writer.sessionId, 'subagents', `agent-${writer.agentId}.jsonl`)
      : join(home, `${writer.sessionId}.jsonl`);
    if (!isSubAgent) parent = { folder: home, writer };
    // some sessions continue another one and start with its lines
    const copied = !isSubAgent && lastPath && random.chance(style.copies) ? lastLines : [];
    written += writeTranscript({ path, size: (bytes * weight) / sum, writer, copied, random });
    if (isSubAgent)
      writeFileSync(
        path.replace(/jsonl$/, 'meta.json'),
        JSON.stringify({ agentType: 'general-purpose', description: `task ${n}`, spawnDepth: 1 }),
      );
    lastPath = path;
  }
  return { files, bytes: written };
}

/** The first lines of the last session, for one that continues it. */
let lastLines: string[] = [];

function writeTranscript(file: {
  path: string;
  size: number;
  writer: Writer;
  copied: string[];
  random: Random;
}): number {
  const { path, size, writer, copied, random } = file;
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, 'w');
  let held: string[] = copied.map((line) => line.replace(/"sessionId":"[^"]*"/, `"sessionId":"${writer.sessionId}"`));
  let heldSize = held.reduce((total, line) => total + line.length, 0);
  let written = 0;
  const flush = () => {
    if (held.length > 0) written += writeSync(fd, `${held.join('\n')}\n`);
    held = [];
    heldSize = 0;
  };
  const kept: string[] = [];
  while (written + heldSize < size) {
    for (const line of turn(writer, random.pick(MODELS))) {
      held.push(line);
      heldSize += line.length;
      if (kept.length < 40) kept.push(line);
      if (heldSize > FLUSH) flush();
    }
  }
  flush();
  closeSync(fd);
  if (writer.agentId === undefined) lastLines = kept;
  utimesSync(path, writer.now / 1000, writer.now / 1000);
  return written;
}
