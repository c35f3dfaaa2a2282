import { bash, read, todos, write } from '../tool-calls.ts';
import { OPUS, type Part } from './part.ts';

const STEPS = ['Load the labeled set', 'Score with the new judge', 'Compare with annotators', 'Write it up'];

/** Its model's API failed in the middle of the work. */
export const overloaded: Part = {
  project: 'tidepool-ml',
  model: OPUS,
  startedAgo: 22,
  context: 58_000,
  async play(session) {
    const { main, project } = session;
    const at = (file: string) => `${project.path}/${file}`;
    await session.prompt(
      'Does the new judge agree with our annotators? 400 labeled pairs in data/pairs.jsonl. I want Cohen’s kappa and where they differ.',
    );
    await main.pause(6);
    await main.use(todos(STEPS, 0));
    await main.use(
      bash(
        'wc -l data/pairs.jsonl && head -c 400 data/pairs.jsonl',
        '400 data/pairs.jsonl\n{"id":"p-001","a":"…","b":"…","label":"a"}',
        { description: 'Look at the data' },
      ),
    );
    await main.use(write(at('eval/agreement.py'), SCRIPT), {
      thinking:
        'Kappa rather than plain agreement: 71% of the labels are “a”, so a judge that always says “a” would look good.',
    });
    await main.use(
      bash('python eval/agreement.py --judge v3', 'kappa = 0.74 (95% CI 0.67–0.81)\n38 disagreements', {
        description: 'Score the pairs',
      }),
      { lasts: 48 },
    );
    await main.use(todos(STEPS, 2));
    await main.use(
      read(
        at('eval/disagreements.md'),
        '# Disagreements\n\n- p-017: people b, judge a (length)\n- p-044: people b, judge a (length)',
      ),
    );
    await main.untilAgo(6.4);
    await session.failOverloaded();
  },
};

const SCRIPT = `from sklearn.metrics import cohen_kappa_score

def main(judge: str) -> None:
    pairs = load("data/pairs.jsonl")
    ours = [p["label"] for p in pairs]
    theirs = [ask(judge, p) for p in pairs]
    print(f"kappa = {cohen_kappa_score(ours, theirs):.2f}")
`;
