/** What a model may ask by AskUserQuestion: for one answer of two, and for any of two. */
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
