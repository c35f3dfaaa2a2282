import { createProgram } from './create-program.ts';
import { addRun } from './run.ts';

/** `gctl run` alone. */
export const program = createProgram();
addRun(program);
