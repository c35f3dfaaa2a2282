/** Everything a connection to the daemon needs. `gctl run` loads it on demand: the schemas take memory that it doesn't need without a daemon. */
export { Client } from '../client/client.ts';
export { enrollRunner, readRunnerCommands, syncRunner } from '../contract/routes/orchestration.ts';
