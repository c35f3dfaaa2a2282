/** Orders dotted versions numerically: 2.1.9 before 2.1.63. Anything after the third number (a pre-release tag) is ignored. */
export function compareVersions(a: string, b: string): number {
  const left = numbers(a);
  const right = numbers(b);
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const numbers = (version: string): number[] => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number);
