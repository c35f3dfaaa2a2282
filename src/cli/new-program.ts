import { createProgram } from './create-program.ts';
import { addNew } from './new.ts';

/** `gctl new` alone. */
export const program = createProgram();
addNew(program);
