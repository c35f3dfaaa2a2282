import { bash, edit, read, todos } from '../tool-calls.ts';
import { OPUS, type Part } from './part.ts';

/** Works in Hebrew, on a page that has to run from right to left. */
export const rightToLeft: Part = {
  project: 'almanac-docs',
  model: OPUS,
  startedAgo: 20,
  context: 287_000,
  async play(session) {
    const { main, project } = session;
    const file = `${project.path}/theme/sidebar.css`;
    await session.prompt('תקן את פריסת התיעוד בעברית: סרגל הצד, החצים ו-`code` בתוך משפט');
    await main.pause(5);
    await main.use(todos(['סרגל הצד', 'חצים וסמלים', 'קוד בתוך משפט', 'בדיקה בשני הכיוונים'], 1));
    await main.use(read(file, '.sidebar { left: 0; border-right: 1px solid; padding-left: 16px; }'));
    await main.use(
      edit(
        file,
        '.sidebar { left: 0; border-right: 1px solid; padding-left: 16px; }',
        '.sidebar { inset-inline-start: 0; border-inline-end: 1px solid; padding-inline-start: 16px; }',
      ),
      {
        say: 'אני מחליף תכונות פיזיות (`left`) בתכונות לוגיות (`inset-inline-start`), כך שאותו קובץ עובד בשני הכיוונים.',
      },
    );
    await main.use(bash('npm run build -- --locale he', '214 pages, 0 warnings', { description: 'בנייה בעברית' }), {
      lasts: 12,
    });
    await main.use(todos(['סרגל הצד', 'חצים וסמלים', 'קוד בתוך משפט', 'בדיקה בשני הכיוונים'], 2));
    await main.untilAgo(0.7);
    await main.use(read(`${project.path}/theme/inline-code.css`, 'code { unicode-bidi: embed; }'));
    await main.stay(35);
    await main.use(
      edit(
        `${project.path}/theme/inline-code.css`,
        'code { unicode-bidi: embed; }',
        'code { unicode-bidi: isolate; direction: ltr; }',
      ),
    );
    await session.finish(
      'הפריסה תקינה בשני הכיוונים. `code` בתוך משפט מבודד עכשיו (`unicode-bidi: isolate`), ולכן סימני הפיסוק נשארים במקומם.',
    );
  },
};
