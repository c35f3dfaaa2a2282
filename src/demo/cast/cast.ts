import { bigDiff } from './big-diff.ts';
import { japanese } from './cjk.ts';
import { certificates, linkCheck } from './finished.ts';
import { flaky } from './flaky.ts';
import { future } from './future.ts';
import { interrupted } from './interrupted.ts';
import { migration } from './migration.ts';
import { overloaded } from './overloaded.ts';
import type { Part } from './part.ts';
import { question } from './question.ts';
import { refactor } from './refactor.ts';
import { release } from './release.ts';
import { rightToLeft } from './right-to-left.ts';
import { silent } from './silent.ts';

/** The first ones are seen first: three agents are enough to fill all three columns. */
export const CAST: readonly Part[] = [
  release,
  refactor,
  certificates,
  migration,
  question,
  flaky,
  bigDiff,
  overloaded,
  interrupted,
  silent,
  rightToLeft,
  japanese,
  future,
  linkCheck,
];

/** No part starts earlier than this many minutes ago. */
export const LONGEST_AGO = Math.max(...CAST.map(({ startedAgo }) => startedAgo));
