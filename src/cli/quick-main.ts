import { addAo } from './ao.ts';
import { createProgram } from './create-program.ts';
import { execute } from './execute.ts';
import { addList } from './list.ts';
import { addLogs } from './logs.ts';
import { addNew } from './new.ts';
import { addQueue } from './queue.ts';
import { addResume } from './resume.ts';

const program = createProgram();
for (const add of [addNew, addResume, addList, addLogs, addQueue, addAo]) add(program);
void execute(async () => ({ program }));
