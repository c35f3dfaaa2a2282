import type { Prices } from '../prices/prices.ts';
import type { UsageSlot } from './fast/usage-scanner.ts';
import { BATCH, FAST, type parseUsage, US_ONLY, unpackRow } from './file-usage.ts';
import { SLOT_MS, type SpendingCells, spendingOf, spendingOfSlots } from './spending.ts';

/** What the counted messages used, without an object for each: a first start goes through thousands that another file has too. */
export function spendingOfRows(
  usage: ReturnType<typeof parseUsage>,
  isCounted: (place: number) => boolean,
  prices: Prices,
): SpendingCells {
  const { models, branches, rows } = usage;
  const slots = new Map<number, UsageSlot>();
  for (const [place, row] of rows.entries()) {
    if (!isCounted(place)) continue;
    const [, at, model, branch, marks, input, output, cacheRead, cacheWrite5m, cacheWrite1h, webSearches] = row;
    const all = input + cacheRead + cacheWrite5m + cacheWrite1h;
    const long = all > 200_000 ? 2 : all > 100_000 ? 1 : 0;
    const mode = marks & (FAST | BATCH | US_ONLY);
    const begin = Math.floor(at / SLOT_MS);
    const name = ((begin * models.length + model) * (branches.length + 1) + branch + 1) * 32 + mode * 4 + long;
    let slot = slots.get(name);
    if (!slot) {
      slot = {
        at: begin * SLOT_MS,
        model: models[model]!,
        branch: branches[branch] ?? null,
        messages: 0,
        input: 0,
        output: 0,
        cacheRead: 0,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        webSearches: 0,
        isFast: (mode & FAST) > 0,
        isBatch: (mode & BATCH) > 0,
        isUsOnly: (mode & US_ONLY) > 0,
        inputAbove: long === 2 ? 200_000 : long === 1 ? 100_000 : 0,
      };
      slots.set(name, slot);
    }
    slot.messages++;
    slot.input += input;
    slot.output += output;
    slot.cacheRead += cacheRead;
    slot.cacheWrite5m += cacheWrite5m;
    slot.cacheWrite1h += cacheWrite1h;
    slot.webSearches += webSearches;
  }
  const spending = spendingOfSlots([...slots.values()], prices);
  if (spending) return spending;
  const counted = rows.filter((_, place) => isCounted(place));
  return spendingOf(
    counted.map((row) => unpackRow(row, models, branches)),
    prices,
  );
}
