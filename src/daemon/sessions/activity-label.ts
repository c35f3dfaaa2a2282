import { basename } from 'node:path';
import { cutLine } from './clip.ts';

/** What the agent is doing, in a few words, from the call it is about to make. */
export function activityLabel(toolName: string, input: Record<string, unknown>): string {
  const whole = (key: string) => (typeof input[key] === 'string' ? input[key] : '');
  const text = (key: string) => cutLine(whole(key), 60);
  // the name first: truncating a path loses its end
  const file = () => cutLine(basename(whole('file_path') || whole('notebook_path')), 60);
  switch (toolName) {
    case 'Bash':
    case 'PowerShell':
      return `Running: ${text('command')}`;
    case 'Read':
      return `Reading ${file()}`;
    case 'Edit':
    case 'MultiEdit':
    case 'Write':
    case 'NotebookEdit':
      return `Editing ${file()}`;
    case 'Grep':
      return `Searching: ${text('pattern')}`;
    case 'Glob':
      return 'Finding files';
    case 'Agent':
    case 'Task':
      return `Agent: ${text('description') || text('subagent_type')}`;
    case 'WebFetch':
      return 'Fetching web page';
    case 'WebSearch':
      return `Searching: ${text('query')}`;
    default:
      return toolName.startsWith('mcp__') ? `MCP: ${toolName.slice('mcp__'.length)}` : `Using ${toolName}`;
  }
}
