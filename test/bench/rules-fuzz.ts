import { fuzzOptions } from '../fuzz/fuzz-options.ts';
import { fuzzPaths } from '../fuzz/fuzz-paths.ts';

// npm run bench rules-fuzz: 100,000 commands in every spelling against rules that allow their program, and 30,000 paths on a
// disk full of links. Allowed commands run for real, in a throw-away folder, to see that they do no more than the rule says.
// RULES_FUZZ_SEED=7 tries other commands; RULES_FUZZ_COUNT=10000 runs a tenth, so that the whole can be run in pieces.

const seed = Number(process.env.RULES_FUZZ_SEED ?? 1);
const count = Number(process.env.RULES_FUZZ_COUNT ?? 100_000);
const start = performance.now();
const options = await fuzzOptions({ count, seed });
const paths = await fuzzPaths({ count: Math.ceil(count * 0.3), seed });
const seconds = ((performance.now() - start) / 1000).toFixed(0);

process.stdout.write(`seed ${seed}, ${seconds} s\n`);
row('', 'made', 'harmful', 'allowed', 'checked', 'holes');
for (const [name, { generated, harmful, allowed, ran, holes }] of Object.entries({ options, paths })) {
  row(name, generated, harmful, allowed, ran, holes.length);
}
for (const { pattern, command, effect } of [...options.holes, ...paths.holes].slice(0, 50)) {
  process.stdout.write(`${pattern}   ${JSON.stringify(command)}   ${effect}\n`);
}
if (options.holes.length + paths.holes.length > 0) process.exitCode = 1;

function row(name: string, ...cells: (string | number)[]): void {
  process.stdout.write(`${name.padEnd(10)}${cells.map((cell) => String(cell).padStart(10)).join('')}\n`);
}
