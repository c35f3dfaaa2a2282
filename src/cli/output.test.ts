import { describe, expect, it } from 'vitest';
import { describeApproval } from './describe-approval.ts';
import { plain } from './output.ts';

describe('plain', () => {
  it.each([
    ['rm -rf /\u001b[2K\rls', 'rm -rf /\\u001b[2K\\u000dls'],
    ['\u001b]52;c;ZWNobw==\u0007', '\\u001b]52;c;ZWNobw==\\u0007'],
    ['a\u202egnp.exe', 'a\\u202egnp.exe'],
    ['zero\u200bwidth \u009b8m', 'zero\\u200bwidth \\u009b8m'],
    ['tag \u{e0041}', 'tag \\udb40\\udc41'],
    ['two\nlines\tand ünïcode 漢字 🙂', 'two\nlines\tand ünïcode 漢字 🙂'],
  ])('shows what would hide or overwrite something: %j', (text, shown) => expect(plain(text)).toBe(shown));

  it('keeps JSON what it is', () => {
    const value = { title: 'a\u202eb \u{e0041}\u2028' };
    expect(JSON.parse(plain(JSON.stringify(value)))).toEqual(value);
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

  it('leaves nothing out that the call is given', () => {
    const bash = { command: 'ls', dangerouslyDisableSandbox: true };
    expect(describeApproval({ ...approval, toolName: 'Bash', toolInput: bash })).toContain(
      '$ ls\n  {"dangerouslyDisableSandbox":true}',
    );
    const mcp = { message: 'hello', channel: '#everyone' };
    expect(describeApproval({ ...approval, toolName: 'mcp__chat__send', toolInput: mcp })).toContain('#everyone');
    const edit = { file_path: '/a', old_string: 'x', new_string: '', replace_all: true };
    expect(describeApproval({ ...approval, toolName: 'Edit', toolInput: edit })).toContain('{"replace_all":true}');
  });

  it('shows a command as it is, not as it would look', () => {
    const shown = describeApproval({ ...approval, toolName: 'Bash', toolInput: { command: 'evil\u001b[2K\rls' } });
    expect(shown).toContain('$ evil<U+001B>[2K<U+000D>ls');
  });

  it('keeps a tool name on its line, so that it cannot forge another', () => {
    const shown = describeApproval({ ...approval, toolName: 'Bash?\n12345678  allowed', toolInput: {} });
    expect(shown.split('\n')).toHaveLength(1);
  });
});
