import { createProgram } from './create-program.ts';
import { addUsage } from './usage.ts';

/** `gctl usage` alone. */
export const program = createProgram();
addUsage(program);
