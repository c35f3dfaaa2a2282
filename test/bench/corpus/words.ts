import type { Random } from '../../kit/random.ts';

const SYLLABLES = (
  'ab ac ad al an ar as at ba be bi bo ca ce ci co cu da de di do du el en er es fa fe fi fo ga ge gi go ha he hi ho ' +
  'in is it ka ke la le li lo lu ma me mi mo mu na ne ni no nu on or pa pe pi po ra re ri ro ru sa se si so su ta te ' +
  'ti to tu un ur va ve vi vo wa we wi yo za ze zo'
).split(' ') as [string, ...string[]];
const COMMON = (
  'the of and to in is for that it on with as this are be by from or at an not have if we can will all has was but ' +
  'should file test function return const import error line code value type string number await async export class ' +
  'build run check update add fix remove change request response server client daemon session user config path'
).split(' ') as [string, ...string[]];

/** A long run of words with a natural frequency distribution, mixed with code, paths, numbers and hashes. */
export function makeText(random: Random, length: number): string {
  const rare = Array.from({ length: 40_000 }, () =>
    Array.from({ length: random.integer(2, 4) }, () => random.pick(SYLLABLES)).join(''),
  );
  const parts: string[] = [];
  let size = 0;
  while (size < length) {
    const part = makePart(random, rare);
    parts.push(part);
    size += part.length;
  }
  return parts.join('').slice(0, length);
}

function makePart(random: Random, rare: string[]): string {
  const kind = random.next();
  // a few words make up most of a text
  const rareWord = () => rare[Math.floor(random.next() ** 3 * rare.length)]!;
  const word = () => (random.chance(0.5) ? random.pick(COMMON) : rareWord());
  if (kind < 0.84) return `${word()} `;
  if (kind < 0.88) return `${word()}.\n`;
  if (kind < 0.91) return `src/${rareWord()}/${rareWord()}.ts:${random.integer(1, 900)} `;
  if (kind < 0.94) return `const ${rareWord()}${random.integer(1, 99)} = "${word()}(${word()})";\n  `;
  if (kind < 0.96) return `${random.integer(0, 100_000)} `;
  if (kind < 0.97) return `${random.hex(8)} `;
  if (kind < 0.98) return `— ${word()} ✓ ü `;
  return `{ "${word()}": ${random.integer(0, 9)} }\n`;
}
