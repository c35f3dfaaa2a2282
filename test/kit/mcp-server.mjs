import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

/** An MCP server for tests. Without arguments it uses stdio; with `http` it prints its address and requires a header. */
function makeServer() {
  const server = new McpServer({ name: 'kit', version: '1.0.0' });
  const shout = { description: 'Upper case', inputSchema: { text: z.string() } };
  server.registerTool('shout', shout, ({ text }) => ({ content: [{ type: 'text', text: text.toUpperCase() }] }));
  server.registerTool('picture', { description: 'One pixel' }, () => ({
    content: [{ type: 'image', mimeType: 'image/png', data: PIXEL }],
  }));
  server.registerTool('broken', { description: 'Always fails' }, () => ({
    isError: true,
    content: [{ type: 'text', text: 'out of order' }],
  }));
  server.registerTool('slow', { description: 'Never answers' }, () => new Promise(() => undefined));
  server.registerTool('crash', { description: 'Ends the server' }, () => process.exit(1));
  server.registerTool('where', { description: 'Folder and environment' }, () => ({
    content: [
      { type: 'text', text: `${process.cwd()} ${process.env.GIVEN ?? ''} ${process.env.ANTHROPIC_API_KEY ?? ''}` },
    ],
  }));
  return server;
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

if (process.argv[2] === 'http') {
  const server = createServer(async (request, response) => {
    if (request.headers['x-key'] !== 'open') return void response.writeHead(401).end('no key');
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await makeServer().connect(transport);
    await transport.handleRequest(request, response);
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
} else {
  await makeServer().connect(new StdioServerTransport());
}
