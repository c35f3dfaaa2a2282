import { expect, it } from 'vitest';
import { resumeCommand } from './resume-command.ts';

it.each([
  [{ id: '7f3a-1', cwd: '/home/dev/shop' }, 'cd /home/dev/shop && claude --resume 7f3a-1'],
  [{ id: '7f3a', cwd: "/home/it's here" }, "cd '/home/it'\\''s here' && claude --resume 7f3a"],
  [{ id: '7f3a', cwd: '/a/$(rm -rf ~)' }, "cd '/a/$(rm -rf ~)' && claude --resume 7f3a"],
  [{ id: 'x; reboot', cwd: null }, "claude --resume 'x; reboot'"],
])('%o', (session, expected) => {
  expect(resumeCommand(session)).toBe(expected);
});
