import { describe, expect, it } from 'vitest';
import { findInputProblem } from './check-input.ts';

const bash = { toolName: 'Bash', toolInput: { command: 'ls', description: 'List' } };
const write = { toolName: 'Write', toolInput: { file_path: 'a', content: 'x' } };
const others = { toolName: 'Write', toolInput: { path: 'a' } };
const mcp = { toolName: 'mcp__github__create_issue', toolInput: { title: 'x', labels: ['a'], draft: true } };

describe('an edited input', () => {
  it.each([
    [bash, { command: 'ls -l' }],
    [bash, { command: 'ls', timeout: 5, more: 'kept' }],
    [write, { file_path: 'a', content: '' }],
    [others, { path: 'b' }],
    [mcp, { title: 'y', labels: [], draft: false, more: 1 }],
    [mcp, { title: 'y' }],
  ])('of %j may be %j', (call, updated) => {
    expect(findInputProblem(call, updated)).toBeUndefined();
  });

  it.each([
    [bash, {}, 'The edited input is empty.'],
    [bash, { command: 5 }, '"command" of Bash must be a string, not a number.'],
    [bash, { cmd: 'ls' }, 'Bash needs "command".'],
    [bash, { command: '' }, '"command" of Bash must not be empty.'],
    [bash, { command: null }, '"command" of Bash must be a string, not null.'],
    [bash, { command: 'ls', timeout: '5' }, '"timeout" of Bash must be a number, not a string.'],
    [write, { file_path: 'a', contents: 'x' }, 'Write needs "content".'],
    [others, { path: 3 }, '"path" of Write must be a string, not a number.'],
    [mcp, { title: ['y'] }, '"title" of mcp__github__create_issue must be a string, not an array.'],
    [mcp, { labels: {} }, '"labels" of mcp__github__create_issue must be an array, not an object.'],
  ])('of %j may not be %j', (call, updated, problem) => {
    expect(findInputProblem(call, updated)).toBe(problem);
  });
});
