import { describe, expect, test } from 'vitest';
import { readClaudeAgent } from './claude-agent.ts';

test("reads Claude Code's own agents", () => {
  const text =
    '---\nname: code-reviewer\ndescription: >\n  Reviews code.\ntools: Read, Bash(git log, git diff), Grep\ndisallowedTools: [WebFetch]\nmodel: inherit\npermissionMode: plan\ncolor: red\n---\n\nYou review.\n';
  expect(readClaudeAgent('/x/code-reviewer.md', text)).toEqual({
    config: {
      name: 'code-reviewer',
      description: 'Reviews code.',
      tools: ['Read', 'Bash(git log, git diff)', 'Grep'],
      deniedTools: ['WebFetch'],
      permissionMode: 'plan',
    },
    name: 'code-reviewer',
    systemPrompt: 'You review.\n',
    problems: [],
  });
  expect(readClaudeAgent('/x/a.md', text.replaceAll('\n', '\r\n')).config?.tools).toHaveLength(3);
});

describe('says why Claude Code would ignore a file', () => {
  test.each([
    ['no front matter', 'You review.', '1:1 It has no YAML'],
    ['bad YAML', '---\nname: a\ndescription: [x\n---\n', '3:'],
    ['tabs in YAML', '---\nname: a\n\tdescription: x\n---\n', '3:'],
    ['no name', '---\ndescription: x\n---\n', '1:1 It has no name'],
    ['no description', '---\nname: a\n---\n', '1:1 It has no description'],
    ['a name that is none', '---\ndescription: x\nname: ../../etc\n---\n', '3:1 "../../etc" must be'],
    ['a mode that is none', '---\nname: a\ndescription: x\npermissionMode: yolo\n---\n', '4:1 Use one of'],
    ['a list at the top', '---\n- a\n---\n', "2:1 This YAML can't be read"],
  ])('%s', (_what, text, expected) => {
    const { config, problems } = readClaudeAgent('/x/a.md', text);
    expect(config).toBeNull();
    expect(problems.map(({ line, column, message }) => `${line}:${column} ${message}`)[0]).toContain(expected);
  });

  test('rejects a YAML alias bomb', () => {
    const bomb = `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\nname: a\ndescription: x\n---\n`;
    expect(readClaudeAgent('/x/a.md', bomb)).toMatchObject({
      config: null,
      problems: [{ message: expect.stringContaining('alias') }],
    });
  });
});
