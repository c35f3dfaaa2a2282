import { expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/contract/audit.ts';
import { toCsv } from './save-entries.ts';

const entry = (over: Partial<AuditEntry>): AuditEntry => ({
  seq: 7,
  at: 0,
  action: 'approval.decided',
  by: 'Firefox',
  sessionId: null,
  outcome: 'allow',
  toolName: 'Bash',
  toolInput: { command: 'say "hi"' },
  ruleId: null,
  waitedMs: -5,
  detail: null,
  ...over,
});

it('quotes what needs quotes, and leaves no formula for a spreadsheet to run', () => {
  const [, row] = toCsv([entry({ detail: '=HYPERLINK("http://evil")' })]).split('\r\n');
  expect(row).toBe(
    '7,1970-01-01T00:00:00.000Z,approval.decided,allow,Firefox,,Bash,"{""command"":""say \\""hi\\""""}",,-5,"\'=HYPERLINK(""http://evil"")"',
  );
});
