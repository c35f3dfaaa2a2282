import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDaemonProcess } from '../../kit/daemon-process.ts';
import { sleep } from '../../kit/generate-load.ts';
import { makeCorpus } from '../corpus/make-corpus.ts';
import { SHAPES } from '../corpus/style.ts';
import { inTurn, Rounds, type Side } from './sides.ts';

const BYTES = 200e6;

/** From the start of a daemon with an empty index. */
export async function compareIndex(sides: readonly Side[], rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gc-compare-index-'));
  try {
    for (const shape of SHAPES.filter(({ files }) => files < 5_000).slice(0, 2)) {
      const configDir = mkdtempSync(join(folder, 'claude-'));
      const scale = BYTES / shape.bytes;
      makeCorpus({
        folder: configDir,
        style: shape.style,
        seed: 1,
        bytes: BYTES,
        files: Math.ceil(shape.files * scale),
      });
      const size = `${BYTES / 1e6} MB, ${shape.name}`;
      const totals = new Rounds(`start to tokens and costs of everything (${size})`, 'ms');
      const text = new Rounds(`start to the full text of everything (${size})`, 'ms');
      for (let round = 0; round < rounds; round++) {
        for (const side of inTurn(sides, round)) {
          const took = await readAll(side, { configDir, folder });
          totals.add(side, took.totals);
          text.add(side, took.text);
        }
      }
      totals.print();
      text.print();
      rmSync(configDir, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readAll({ from }: Side, { configDir, folder }: { configDir: string; folder: string }) {
  const home = mkdtempSync(join(folder, 'home-'));
  mkdirSync(join(home, '.claude'));
  const start = performance.now();
  const daemon = await startDaemonProcess({ home, args: ['--no-hooks'], env: { CLAUDE_CONFIG_DIR: configDir }, from });
  try {
    const headers = { authorization: `Bearer ${daemon.credentials.localToken}` };
    let totals = 0;
    for (let phase = ''; phase !== 'idle'; await sleep(5)) {
      ({ phase } = (await (await fetch(`${daemon.url}/api/history/status`, { headers })).json()) as { phase: string });
      if (totals === 0 && (phase === 'text' || phase === 'idle')) totals = performance.now() - start;
    }
    return { totals, text: performance.now() - start };
  } finally {
    await daemon.dispose();
    rmSync(home, { recursive: true, force: true });
  }
}
