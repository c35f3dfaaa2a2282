import { createRequire } from 'node:module';

/** They only call the daemon, so they run from a bundle without schemas, in half the time: people and scripts wait for them. */
const QUICK = ['new', 'resume', 'fork', 'rewind', 'list', 'result', 'logs', 'delete', 'archive', 'queue'];
const ALIASES = ['ao-new', 'ao-resume', 'ao-status'];

const command = process.argv[2] ?? '';
if ([...QUICK, ...ALIASES].includes(command)) createRequire(import.meta.url)('./gctl-quick.cjs');
else await import('./main.ts');
