import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { capText } from './cap-text.ts';
import { defineTool, type Tool, type ToolOutput } from './tool.ts';

/** As in `.mcp.json`. */
export const McpServers = z.record(
  z.string().regex(/^[\w-]{1,64}$/),
  z.union([
    z.object({
      type: z.literal('stdio').optional(),
      command: z.string(),
      args: z.array(z.string()).optional(),
      env: z.record(z.string(), z.string()).optional(),
    }),
    z.object({ type: z.literal('http'), url: z.url(), headers: z.record(z.string(), z.string()).optional() }),
  ]),
);
export type McpServers = z.infer<typeof McpServers>;

export interface McpConnection {
  tools: Tool[];
  /** Servers that couldn't be reached, with the reason. The others still work. */
  problems: { server: string; error: string }[];
  close(): Promise<void>;
}

const CONNECT_MS = 30_000;
const LONGEST = 100_000;

/** Connects to all servers in parallel. The tool list is fixed for the session: changing it would invalidate the prompt cache. */
export async function connectMcp(servers: McpServers, { cwd }: { cwd: string }): Promise<McpConnection> {
  const clients: Client[] = [];
  const problems: McpConnection['problems'] = [];
  const lists = await Promise.all(
    Object.entries(servers).map(async ([server, config]) => {
      try {
        const client = await connect(server, config, cwd);
        clients.push(client);
        return await toolsOf(server, client);
      } catch (error) {
        problems.push({ server, error: error instanceof Error ? error.message : String(error) });
        return [];
      }
    }),
  );
  return {
    tools: lists.flat(),
    problems,
    close: async () => void (await Promise.allSettled(clients.map((client) => client.close()))),
  };
}

async function connect(server: string, config: McpServers[string], cwd: string): Promise<Client> {
  const { Client: McpClient, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new McpClient({ name: 'groundcontrol', version: '1.0.0' });
  if ('url' in config) {
    const transport = new StreamableHTTPClientTransport(new URL(config.url), {
      requestInit: { headers: config.headers ?? {} },
    });
    await client.connect(transport, { timeout: CONNECT_MS });
    return client;
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const { command, args = [], env } = config;
  const transport = new StdioClientTransport({ command, args, cwd, stderr: 'ignore', ...(env ? { env } : {}) });
  await client.connect(transport, { timeout: CONNECT_MS }).catch((error: Error) => {
    throw new Error(`${server} (${command}): ${error.message}`);
  });
  return client;
}

async function toolsOf(server: string, client: Client): Promise<Tool[]> {
  const { tools } = await client.listTools();
  return tools.map(({ name, description = '', inputSchema, annotations }) =>
    defineTool({
      name: `mcp__${server}__${name}`.replace(/[^\w-]/g, '_').slice(0, 128),
      description: capText(description, 4000),
      input: z.record(z.string(), z.unknown()),
      jsonSchema: inputSchema,
      gate: annotations?.readOnlyHint === true ? 'read' : 'write',
      // a server's own hints are no reason to skip the approval
      permission: 'permission',
      async run(input, { signal }) {
        return toOutput(await client.callTool({ name, arguments: input }, { signal, timeout: 600_000 }));
      },
    }),
  );
}

type McpResult = Awaited<ReturnType<Client['callTool']>>;

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

function toOutput({ content, isError, structuredContent }: McpResult): ToolOutput {
  const blocks = content.map((block) => {
    const media = block.type === 'image' ? IMAGES.find((type) => type === block.mimeType) : undefined;
    if (block.type === 'image' && media)
      return { type: 'image' as const, source: { type: 'base64' as const, media_type: media, data: block.data } };
    const text = block.type === 'text' ? block.text : JSON.stringify(block);
    return { type: 'text' as const, text: capText(text, LONGEST) || '(empty)' };
  });
  if (blocks.length > 0) return { content: blocks, isError: isError === true };
  return {
    content: structuredContent ? capText(JSON.stringify(structuredContent), LONGEST) : '(no output)',
    isError: isError === true,
  };
}
