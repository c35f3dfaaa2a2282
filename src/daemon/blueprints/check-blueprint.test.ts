import { describe, expect, test } from 'vitest';
import { checkBlueprint } from './check-blueprint.ts';

const reviewer = { name: 'reviewer', description: 'Reviews a diff' };

async function problemsOf(config: unknown, { systemPrompt = '', mcp = null as string | null } = {}) {
  const text = typeof config === 'string' ? config : JSON.stringify(config, null, 2);
  const { problems } = await checkBlueprint('reviewer', { config: text, systemPrompt, mcp });
  return problems.map(
    ({ severity, file, line, column, message }) => `${severity} ${file}:${line}:${column} ${message}`,
  );
}

test('round-trips every field', async () => {
  const config = {
    ...reviewer,
    model: 'opus',
    permissionMode: 'plan',
    tools: ['Read', 'Bash'],
    allowedTools: ['Read', 'Bash(npm test*)'],
    deniedTools: ['WebFetch'],
    tags: ['review'],
    budget: { dollars: 2, tokens: 100_000, minutes: 30 },
    parameters: { type: 'object', properties: { language: { type: 'string' } }, required: ['language'] },
    result: { type: 'object', properties: { verdict: { enum: ['good', 'bad'] } } },
  };
  const mcp = { mcpServers: { docs: { command: 'npx', args: ['docs'] }, web: { type: 'http', url: 'http://x' } } };
  const checked = await checkBlueprint('reviewer', {
    config: JSON.stringify(config),
    systemPrompt: 'Review {{language}}',
    mcp: JSON.stringify(mcp),
  });
  expect(checked).toMatchObject({ config, mcp, problems: [] });
});

describe('names the line of', () => {
  test.each([
    [
      'a syntax error',
      '{\n  "name": "reviewer",\n  "description": "x",\n}',
      ['4:1 This is not valid JSON: there is an extra comma before'],
    ],
    [
      'a comment',
      '{ // hi\n  "name": "reviewer", "description": "x" }',
      ['1:3 This is not valid JSON: it has a comment'],
    ],
    [
      'a misspelled field',
      '{\n  "name": "reviewer",\n  "description": "x",\n  "denyedTools": []\n}',
      ['4:3 There is no field "denyedTools". Did you mean "deniedTools"?'],
    ],
    [
      'a wrong type',
      '{\n  "name": "reviewer",\n  "description": "x",\n  "tags": [\n    1\n  ]\n}',
      ['5:5 Invalid input'],
    ],
    [
      'a wrong choice',
      '{\n  "name": "reviewer",\n  "description": "x",\n\n  "permissionMode": "yolo"}',
      ['5:3 Invalid option'],
    ],
    [
      'a double field',
      '{\n  "name": "reviewer",\n  "description": "x",\n  "name": "reviewer"}',
      ['4:3 "name" appears twice.'],
    ],
    ['another name than its folder', '{\n "description": "x",\n "name": "rewiever"}', ['3:2 The name is "rewiever"']],
    ['a missing field', '\n{ "name": "reviewer" }', ['2:1 "description" is missing.']],
    ['an empty file', '', ['1:1 This is not valid JSON: it ends unexpectedly']],
  ])('%s', async (_what, text, expected) => {
    const problems = await problemsOf(text);
    expect(problems).toHaveLength(expected.length);
    expected.forEach((one, index) => {
      expect(problems[index]).toContain(`error agent.json:${one}`);
    });
  });

  test('an invalid schema', async () => {
    const config = { ...reviewer, parameters: { type: 'object', properties: { a: { type: 'strin' } } } };
    expect(await problemsOf(config)).toEqual([
      expect.stringContaining('error agent.json:8:9 This is not a valid JSON Schema: must be equal to one of'),
    ]);
    expect(await problemsOf({ ...reviewer, result: { requird: ['a'] } })).toEqual([
      expect.stringContaining('error agent.json:4:3 This is not a valid JSON Schema: unknown keyword: "requird"'),
    ]);
    expect(await problemsOf({ ...reviewer, parameters: { type: 'array' } })).toEqual([
      expect.stringContaining("error agent.json:4:3 The parameters' schema must be an object"),
    ]);
  });

  test('an invalid MCP server', async () => {
    expect(await problemsOf(reviewer, { mcp: '{\n "mcpServers": {\n  "a": {"url": "http://x"}}}' })).toEqual([
      expect.stringContaining('error agent.mcp.json:3:3 a server needs a `command`'),
    ]);
  });

  test('a placeholder that no parameter fills, as a warning', async () => {
    const parameters = { type: 'object', properties: { language: { type: 'string' } } };
    const systemPrompt = 'Review {{ language }}\nin {{laguage}} and \\{{this}}';
    expect(await problemsOf({ ...reviewer, parameters }, { systemPrompt })).toEqual([
      expect.stringContaining('warning agent.system-prompt.md:2:4 There is no parameter "laguage"'),
    ]);
    // without parameters, braces are just text
    expect(await problemsOf(reviewer, { systemPrompt: '{{ user }}' })).toEqual([]);
  });
});
