import { bash, edit, read } from '../tool-calls.ts';
import { HAIKU, type Part } from './part.ts';

/** Its user pressed Esc and hasn't said what they want instead. */
export const interrupted: Part = {
  project: 'lighthouse-cli',
  model: HAIKU,
  startedAgo: 12,
  context: 118_000,
  async play(session) {
    const { main, project } = session;
    const file = `${project.path}/src/completions/fish.ts`;
    await session.prompt('fish completes flags twice when the alias is set. Can you take a look?');
    await main.pause(3);
    await main.use(read(file, 'for (const flag of flags) emit(completionFor(flag));'));
    await main.use(
      bash('fish -c "complete -C \'lighthouse --\'" | sort | uniq -d', '--plain\n--watch', {
        description: 'Show duplicate flags',
        asks: true,
      }),
      { lasts: 1, decided: { afterSeconds: 9, decision: 'allow' } },
    );
    await main.use(edit(file, 'for (const flag of flags) emit(', 'for (const flag of unique(flags)) emit('), {
      say: "The alias registers the same completions again. I'll remove the duplicates at the source.",
    });
    await main.pause(20);
    await main.untilAgo(8.1);
    main.answer('Now the same for zsh and bash, which have the same loop. I also rename the');
    await session.interrupt();
  },
};
