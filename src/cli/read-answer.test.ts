import { describe, expect, test } from 'vitest';
import { readAnswer } from './read-answer.ts';

const color = { question: 'Which color?', options: [{ label: 'Red' }, { label: 'Blue' }] };
const sizes = {
  question: 'Which sizes?',
  multiSelect: true,
  options: [{ label: 'S' }, { label: 'M' }, { label: '7' }],
};

describe('an answer', () => {
  test.each([
    ['1', color, 'Red'],
    [' 2 ', color, 'Blue'],
    ['Blue', color, 'Blue'],
    ['neither, use a gray', color, 'neither, use a gray'],
    ['7 of them', color, '7 of them'],
    ['1,3', sizes, ['S', '7']],
    ['S, M', sizes, ['S', 'M']],
    ['7', sizes, '7'],
    ['12', { question: 'How many?' }, '12'],
  ])('%j to %j is %j', (given, question, expected) => {
    expect(readAnswer(given, question)).toEqual(expected);
  });

  test.each([
    ['7', color, /"Which color\?" has options 1 to 2, not 7/],
    ['0', color, /not 0/],
    ['1,4', sizes, /not 4/],
    ['1,2', color, /takes one option/],
  ])('%j to %j is refused', (given, question, message) => {
    expect(() => readAnswer(given, question)).toThrow(message);
  });
});
