import { expect, test } from 'vitest';
import { shapeOf } from './call-shape.ts';

const bash = (command: string) => shapeOf({ toolName: 'Bash', toolInput: { command } });

test('never proposes a shape wider than the call', () => {
  expect(bash('npm run build')).toBe('npm run *');
  expect(bash('git status')).toBe('git status');
  expect(bash('rm *.txt; ls')).toBe('rm \\*.txt; ls');
  expect(bash(`echo ${'*'.repeat(500)}`)).toMatch(/^echo (\\\*)+\*$/);
  expect(shapeOf({ toolName: 'Read', toolInput: { file_path: '/w/a*b/x.ts' } })).toBe('/w/a\\*b/*.ts');
  expect(shapeOf({ toolName: 'Read', toolInput: { file_path: '/x' } })).toBe('/*');
  expect(shapeOf({ toolName: 'WebFetch', toolInput: { url: 'https://a.example/b?c' } })).toBe('https://a.example/*');
  expect(shapeOf({ toolName: 'Other', toolInput: {} })).toBe('*');
});
