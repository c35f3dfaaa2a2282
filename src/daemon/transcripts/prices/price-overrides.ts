import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type ModelPrice, PriceOverrides } from '../../../contract/prices.ts';
import { DomainError } from '../../errors.ts';
import { normalizeModel } from './model-name.ts';

export interface ReadOverrides {
  overrides: ModelPrice[];
  /** What is wrong with the file; the built-in prices apply then. */
  problem: string | null;
}

export function readOverrides(path: string): ReadOverrides {
  if (!existsSync(path)) return { overrides: [], problem: null };
  try {
    const { overrides } = PriceOverrides.parse(JSON.parse(readFileSync(path, 'utf8')));
    refuseDoubles(overrides);
    return { overrides, problem: null };
  } catch (error) {
    const problem = `${path} is ignored and the built-in prices apply: ${describe(error)}. Fix it or delete it.`;
    return { overrides: [], problem };
  }
}

export function writeOverrides(path: string, overrides: ModelPrice[]): void {
  refuseDoubles(overrides);
  // don't discard what someone wrote by hand and mistyped
  const { problem } = readOverrides(path);
  if (problem) throw new DomainError('prices.bad_file', 409, problem);
  writeFileSync(`${path}.new`, `${JSON.stringify({ overrides }, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function refuseDoubles(overrides: readonly ModelPrice[]): void {
  const seen = new Set<string>();
  for (const { model } of overrides) {
    const name = normalizeModel(model);
    if (seen.has(name)) throw new PricedTwice(model);
    seen.add(name);
  }
}

class PricedTwice extends DomainError {
  constructor(model: string) {
    super('prices.twice', 400, `${model} has two prices. Remove one of them`);
  }
}

function describe(error: unknown): string {
  if (!(error instanceof z.ZodError)) return (error as Error).message;
  return error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`).join('; ');
}
