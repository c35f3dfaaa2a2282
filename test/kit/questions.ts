/** What a model may ask with AskUserQuestion: a single choice and a multiple choice. */
export const color = {
  question: 'Which color?',
  header: 'Color',
  multiSelect: false,
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
};

export const sizes = {
  question: 'Which sizes?',
  header: 'Sizes',
  multiSelect: true,
  options: [
    { label: 'Small', description: 's' },
    { label: 'Large', description: 'l' },
  ],
};
