/** What a connection to the daemon needs, loaded when there is one: its schemas take memory that a session alone has no use for. */
export { Client } from '../client/client.ts';
export { enrollRunner, readRunnerCommands, syncRunner } from '../contract/routes/orchestration.ts';
export { RunnerCommand } from '../contract/runners.ts';
