import { describe, expect, test } from 'vitest';
import { readAnswer } from './read-answer.ts';

const colour = { question: 'Which color?', options: [{ label: 'Red' }, { label: 'Blue' }] };
const sizes = {
  question: 'Which sizes?',
  multiSelect: true,
  options: [{ label: 'S' }, { label: 'M' }, { label: '7' }],
};

describe('an answer', () => {
  test.each([
    ['1', colour, 'Red'],
    [' 2 ', colour, 'Blue'],
    ['Blue', colour, 'Blue'],
    ['neither, use a gray', colour, 'neither, use a gray'],
    ['7 of them', colour, '7 of them'],
    ['1,3', sizes, ['S', '7']],
    ['S, M', sizes, ['S', 'M']],
    ['7', sizes, '7'],
    ['12', { question: 'How many?' }, '12'],
  ])('%j to %j is %j', (given, question, expected) => {
    expect(readAnswer(given, question)).toEqual(expected);
  });

  test.each([
    ['7', colour, /options 1 to 2 for "Which color\?", and no 7/],
    ['0', colour, /no 0/],
    ['1,4', sizes, /no 4/],
    ['1,2', colour, /takes one option/],
  ])('%j to %j is refused', (given, question, message) => {
    expect(() => readAnswer(given, question)).toThrow(message);
  });
});
