import { fuzzOptions } from '../fuzz/fuzz-options.ts';
import { fuzzPaths } from '../fuzz/fuzz-paths.ts';

// npm run bench rules-fuzz: 100,000 commands in every spelling against rules that allow their program, and 30,000 paths on a
// disk full of links. What is allowed is run for real, in a folder of its own, to see that it does no more than the rule says.
// A seed after the name tries others: npm run bench rules-fuzz (RULES_FUZZ_SEED=7)

const seed = Number(process.env.RULES_FUZZ_SEED ?? 1);
const start = performance.now();
const options = await fuzzOptions({ count: 100_000, seed });
const paths = await fuzzPaths({ count: 30_000, seed });
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
