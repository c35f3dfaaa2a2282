import { cpus, loadavg } from 'node:os';
import { checkout } from '../kit/daemon-process.ts';
import { measureSteal } from '../kit/measure-steal.ts';
import { compareAnswer } from './compare/answer.ts';
import { compareIndex } from './compare/index.ts';
import { compareIngest } from './compare/ingest.ts';
import { buildOld, type Side } from './compare/sides.ts';
import { compareWeb } from './compare/web.ts';

/**
 * Compares this checkout with an older commit, alternating in one run: OLD=commit or folder, PARTS=ingest,answer,index,web, ROUNDS=number.
 * A ratio above 1 means that we got slower.
 */
const OLD = process.env.OLD ?? '953aa82';
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const MEASURES: Record<string, (sides: readonly Side[], rounds: number) => Promise<void>> = {
  ingest: compareIngest,
  answer: compareAnswer,
  index: compareIndex,
  web: compareWeb,
};
const parts = process.env.PARTS?.split(',') ?? Object.keys(MEASURES);
const unknown = parts.filter((part) => !MEASURES[part]);
if (unknown.length > 0) throw new Error(`No such part: ${unknown}. There are: ${Object.keys(MEASURES)}`);

const old = buildOld(OLD);
const stolen = measureSteal();
try {
  console.log(
    `# npm run bench compare\n\n${cpus().length} cores, Node ${process.version}, load ${loadavg()[0]!.toFixed(1)} at the start; ${ROUNDS} rounds; old: ${OLD}\n`,
  );
  console.log('| measured | old | new | new/old | by round |\n| --- | ---: | ---: | ---: | --- |');
  const sides: Side[] = [old.side, { name: 'new', from: checkout }];
  for (const part of parts) await MEASURES[part]!(sides, ROUNDS);
  console.log(
    `\nLoad ${loadavg()[0]!.toFixed(1)} at the end; others on the host took ${stolen()} of the processors' time.`,
  );
} finally {
  old.dispose();
}
