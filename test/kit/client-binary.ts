import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The real Claude Code, as shipped by the Agent SDK for this platform. */
export function clientBinary(): string {
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
  try {
    // the platform's package is a dependency of the SDK, so resolve it from there
    const sdk = createRequire(createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk'));
    const binary = join(dirname(sdk.resolve(`${name}/package.json`)), 'claude');
    if (existsSync(binary)) return binary;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
  }
  throw new Error(`Claude Code is missing: ${name} is not installed. Run \`npm install\` in the repository.`);
}
