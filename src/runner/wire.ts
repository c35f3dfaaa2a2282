/** Everything a connection to the daemon needs. Loaded on demand: the schemas take memory that a session without a daemon doesn't need. */
export { Client } from '../client/client.ts';
export { enrollRunner, readRunnerCommands, syncRunner } from '../contract/routes/orchestration.ts';
export { RunnerCommand } from '../contract/runners.ts';
