import { prepare } from './prepare.mjs';

prepare();
process.argv.splice(2, 0, 'up');
await import('../dist/gctl.js');
