import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

/** An MCP server with one tool, which asks the person for a name and returns it. */
const server = new McpServer({ name: 'asker', version: '1.0.0' });
server.registerTool('ask_name', { description: 'Asks the person for a name' }, async () => {
  const answer = await server.server.elicitInput({
    message: 'What is your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  });
  return { content: [{ type: 'text', text: `answered ${JSON.stringify(answer)}` }] };
});
await server.connect(new StdioServerTransport());
