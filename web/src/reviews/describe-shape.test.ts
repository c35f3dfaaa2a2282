import { expect, it } from 'vitest';
import { describeShape } from './describe-shape.ts';

const say = (toolName: string, shape: string) =>
  describeShape({ toolName, shape, project: '/home/ada/api' })
    .map(({ text, any }) => (any ? `<${text}>` : text))
    .join('');

it.each([
  ['Bash', 'npm run *', 'npm run <*>'],
  ['Bash', 'rg -n \\"updatedAt\\" src \\| wc -l', 'rg -n "updatedAt" src | wc -l'],
  ['Bash', 'ls \\*.ts', 'ls *.ts'],
  ['Bash', 'cat /home/ada/api/a.txt /etc/hosts', 'cat a.txt /etc/hosts'],
  ['Edit', '/home/ada/api/src/*.ts', 'src/<*>.ts'],
  ['Edit', '/home/ada/api/*.md', '<*>.md'],
  ['Write', '/home/ada/notes/*.md', '~/notes/<*>.md'],
  ['mcp__github__list', '*', '<any input>'],
  ['Bash', 'a\\', 'a\\'],
])('%s %s', (tool, shape, said) => {
  expect(say(tool, shape)).toBe(said);
});
