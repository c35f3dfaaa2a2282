import { describe, expect, it } from 'vitest';
import { describeApproval } from './describe-approval.ts';
import { oneLine, readable, toSafeJson } from './output.ts';

describe('text of an agent', () => {
  it.each([
    ['rm -rf /\u001b[2K\rls', 'rm -rf /ls'],
    ['\u001b[31mred\u001b[0m \u001b]8;;http://a\u0007link\u001b]8;;\u0007', 'red link'],
    ['a\u202egnp.exe zero\u200bwidth \u{e0041}', 'agnp.exe zerowidth '],
    ['two\nlines\tand ünïcode 漢字 🙂', 'two\nlines\tand ünïcode 漢字 🙂'],
  ])('is stripped of colors, escapes and hidden characters: %j', (text, shown) => expect(readable(text)).toBe(shown));

  it('stays on one line inside our lines, with hidden characters spelled out', () => {
    expect(oneLine('Bash\r\n3f2a  allowed\u001b[8m\u202e')).toBe('Bash<U+000D> 3f2a  allowed<U+001B>[8m<U+202E>');
  });

  it('is the same JSON after its hidden characters are escaped', () => {
    const value = { title: 'a\u202eb \u{e0041}\u2028\u001b[31m' };
    const json = toSafeJson(value);
    expect(json).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(json)).toEqual(value);
  });
});

describe('describeApproval', () => {
  const approval = {
    id: '12345678-0000',
    origin: 'hook' as const,
    correlationId: 'c',
    sessionId: 's',
    status: 'pending' as const,
    kind: 'permission' as const,
    createdAt: Date.now(),
  };

  it('shows every input of the call', () => {
    const bash = { command: 'ls', dangerouslyDisableSandbox: true };
    expect(describeApproval({ ...approval, toolName: 'Bash', toolInput: bash })).toContain(
      '$ ls\n  {"dangerouslyDisableSandbox":true}',
    );
    const mcp = { message: 'hello', channel: '#everyone' };
    expect(describeApproval({ ...approval, toolName: 'mcp__chat__send', toolInput: mcp })).toContain('#everyone');
    const edit = { file_path: '/a', old_string: 'x', new_string: '', replace_all: true };
    expect(describeApproval({ ...approval, toolName: 'Edit', toolInput: edit })).toContain('{"replace_all":true}');
  });

  it('shows a command literally, not as it would render', () => {
    const shown = describeApproval({ ...approval, toolName: 'Bash', toolInput: { command: 'evil\u001b[2K\rls' } });
    expect(shown).toContain('$ evil<U+001B>[2K<U+000D>ls');
  });

  it("keeps a tool name on one line, so that it can't forge another", () => {
    const shown = describeApproval({ ...approval, toolName: 'Bash?\n12345678  allowed', toolInput: {} });
    expect(shown.split('\n')).toHaveLength(1);
  });
});
