import type { Candidate } from './candidates.ts';

/** What people and models said is a likelier match than what a tool printed. */
const WEIGHTS: Record<Candidate['kind'], number> = {
  prompt: 1.5,
  answer: 1.2,
  command: 1.2,
  summary: 1,
  thinking: 1,
  tool_input: 1,
  tool_output: 0.9,
  attachment: 0.8,
  notice: 0.8,
};
/** Exact words rank before longer ones. */
const EXACT = 1.6;
/** Words in the order of the query rank before the same words anywhere. */
const IN_SEQUENCE = 1.6;
/** A match in a text of this length counts half as much as in the shortest. */
const HALF = 600;
/** Score resolution; within a step, the newest comes first. */
const STEPS = 8;

/**
 * Best first, each once: a resumed session repeats the lines of the one it continues. Nothing depends on what else is in the index, or when
 * it got there.
 */
export function rankCandidates(candidates: Candidate[]): Candidate[] {
  return eachOnce(candidates)
    .map((candidate) => ({ candidate, score: scoreOf(candidate) }))
    .sort((a, b) => b.score - a.score || byTime(a.candidate, b.candidate))
    .map(({ candidate }) => candidate);
}

/** Of several copies, the one that was there first. */
export function eachOnce(candidates: Candidate[]): Candidate[] {
  const originals = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const name = candidate.uuid === null ? `@${candidate.id}` : `${candidate.uuid} ${candidate.block}`;
    const known = originals.get(name);
    if (!known || isEarlier(candidate, known)) originals.set(name, candidate);
  }
  return [...originals.values()];
}

function scoreOf({ kind, length, isExact, isInSequence }: Candidate): number {
  const likely = WEIGHTS[kind] * (isExact ? EXACT : 1) * (isInSequence ? IN_SEQUENCE : 1);
  const score = likely / (1 + Math.log2(1 + length / HALF));
  return Math.round(score * STEPS);
}

function isEarlier(one: Candidate, other: Candidate): boolean {
  return one.isForked - other.isForked < 0 || (one.isForked === other.isForked && one.bornMs < other.bornMs);
}

/** Newest first. */
export function byTime(a: Candidate, b: Candidate): number {
  return (
    (b.at ?? 0) - (a.at ?? 0) || (a.uuid ?? '').localeCompare(b.uuid ?? '') || a.start - b.start || a.block - b.block
  );
}
