import type { Command } from 'commander';
import { Client } from '../client/client.ts';
import { AGENT_TOKEN_VARIABLE } from '../contract/runner-names.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption } from './common-options.ts';
import { ownVersion } from './own-files.ts';

export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('serve tools that let agents start other agents (MCP over stdio)')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
An agent that Ground Control started acts with its own token, for its own children only. Other programs need their own.

Examples:
  gctl mcp
  GROUNDCONTROL_TOKEN=$(gctl token --operator --name desktop) gctl mcp

In .mcp.json: { "mcpServers": { "groundcontrol": { "command": "gctl", "args": ["mcp"] } } }`,
    )
    .action(async ({ dataDir }: DataDirOption) => {
      const [{ StdioServerTransport }, { createMcpServer }, { clientBackend }] = await Promise.all([
        import('@modelcontextprotocol/server/stdio'),
        import('../mcp/server.ts'),
        import('../mcp/client-backend.ts'),
      ]);
      // looked up for each call: the daemon may have been restarted on another port
      const backend = clientBackend(async () => asAgent(await connect(dataDir)));
      const server = createMcpServer(backend, { version: ownVersion() });
      const transport = new StdioServerTransport();
      const closed = new Promise<void>((resolve) => {
        server.server.onclose = resolve;
        process.stdin.once('end', resolve);
      });
      await server.connect(transport);
      await closed;
      await server.close();
    });
}

/** A session that Ground Control started uses its own token. */
function asAgent(client: Client): Client {
  const token = process.env[AGENT_TOKEN_VARIABLE];
  return token ? new Client(client.url, { token, isLocal: false }) : client;
}
