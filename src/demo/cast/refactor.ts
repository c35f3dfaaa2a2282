import { bash, edit, read, todos } from '../tool-calls.ts';
import { HAIKU, OPUS, type Part, SONNET } from './part.ts';

const AREAS = [
  'Inventory of colors',
  'Tokens and themes',
  'Buttons and inputs',
  'Tables and charts',
  'Remove leftovers',
];

/** A large refactoring across four subagents, two of them started by another. */
export const refactor: Part = {
  project: 'atlas-web',
  model: OPUS,
  startedAgo: 38,
  context: 402_000,
  async play(session) {
    const { main, project } = session;
    const at = (file: string) => `${project.path}/${file}`;
    await session.prompt(
      'Replace every hard-coded color with design tokens. 212 components, both themes, no visual change. Split it up.',
    );
    await main.pause(8);
    await main.use(
      bash('rg -o "#[0-9a-fA-F]{3,8}\\b" src --no-filename | sort | uniq -c | sort -rn | head -12', COLORS, {
        description: 'Count the colors',
      }),
      {
        thinking:
          '1,904 literals but only 61 distinct ones, most a single lightness step apart. The mapping is the real work; the replacement is mechanical. So: one agent for the mapping, then one per area.',
        lasts: 2,
      },
    );
    await main.use(todos(AREAS, 1), {
      say: "There are 1,904 literals and 61 colors. I'm splitting the work by area, with one agent that owns the mapping.",
    });
    await main.delegate(
      {
        type: 'general-purpose',
        description: 'Own the token mapping',
        prompt: 'Map the 61 colors to tokens. Two colors may share a token if their ΔE is below 2.',
        model: OPUS,
      },
      async (mapper) => {
        await mapper.pause(30);
        await mapper.use(read(at('src/styles/tokens.css'), TOKENS));
        await mapper.delegate(
          {
            type: 'Explore',
            description: 'Find colors outside CSS',
            prompt: 'SVG files, canvas drawing, email templates: where else are there colors?',
            model: HAIKU,
          },
          async (scout) => {
            await scout.pause(40);
            await scout.use(
              bash(
                'rg -l "fill=\\"#|stroke=\\"#" public src --glob "*.{svg,tsx}"',
                'public/illustrations/empty-inbox.svg\nsrc/charts/sparkline.tsx\nsrc/email/receipt.tsx',
                { description: 'Colors in drawings' },
              ),
              { lasts: 3 },
            );
            await scout.untilAgo(1.5);
            await scout.use(read(at('src/email/receipt.tsx'), RECEIPT), { lasts: 'forever' });
            return "There are also colors in 14 SVG files, the sparkline and the receipt email. Email clients don't support custom properties, so keep the literals there.";
          },
        );
        await mapper.delegate(
          {
            type: 'Explore',
            description: 'Measure contrast in both themes',
            prompt: 'For each pair of text and background tokens, measure WCAG contrast in light and dark.',
            model: SONNET,
          },
          async (meter) => {
            await meter.pause(60);
            await meter.untilAgo(0.8);
            await meter.use(
              bash(
                'node scripts/contrast.mjs --theme light,dark --min 4.5',
                'light: 58 pairs, 0 below 4.5\ndark: 58 pairs, 2 below 4.5 (text-muted on surface-raised: 4.1)',
                { description: 'Contrast of every pair' },
              ),
              { lasts: 'forever' },
            );
            return 'Two pairs in the dark theme are below 4.5. Raising `text-muted` by two steps fixes both.';
          },
        );
        await mapper.untilAgo(1.1);
        await mapper.use(
          edit(
            at('src/styles/tokens.css'),
            '  --surface-raised: #1b2430;',
            '  --surface-raised: #1b2430;\n  --text-muted: #9fb0c3;\n  --accent-strong: #4c8dd6;',
            { startLine: 41 },
          ),
          { lasts: 'forever' },
        );
        return 'All 61 colors map to 34 tokens. The largest ΔE is 1.7.';
      },
    );
    await main.delegate(
      {
        type: 'general-purpose',
        description: 'Buttons and inputs',
        prompt:
          'Replace literals in src/controls with the mapped tokens. Before and after screenshots must be identical.',
        model: SONNET,
      },
      async (controls) => {
        await controls.pause(90);
        await controls.use(edit(at('src/controls/button.css'), BUTTON_BEFORE, BUTTON_AFTER, { startLine: 12 }));
        await controls.untilAgo(2.4);
        await controls.use(
          bash('npm run test:visual -- controls', '64 screenshots, 0 differences', {
            description: 'Compare screenshots',
          }),
          { lasts: 'forever' },
        );
        return 'Buttons and inputs use only tokens. Compared 64 screenshots, no differences.';
      },
    );
    await session.finish(
      "Two agents are working, and one of them has started two more. I'll combine the results when they finish.",
    );
    await session.untilAgentsAreDone();
    await main.use(todos(AREAS, 4));
    await main.use(
      bash('npm run test:visual', '848 screenshots, 0 differences', { description: 'Compare every screenshot' }),
      { say: 'All agents are done. One final comparison of everything, in both themes.', lasts: 30 },
    );
    await main.use(todos(AREAS, 5, { isOver: true }));
    await session.finish(
      '**Done without a visible change.** 1,871 of 1,904 literals are now tokens. The other 33 are in email templates, where custom properties don\'t work.\n\n```css\n:root { --surface-raised: #ffffff; --text-muted: #5b6b7d; }\n[data-theme="dark"] { --surface-raised: #1b2430; --text-muted: #9fb0c3; }\n```',
    );
  },
};

const COLORS = `    311 #1b2430
    204 #ffffff
    187 #3b76b8
     96 #5b6b7d
     91 #f4f6f8
     77 #d45b3f`;

const TOKENS = `:root {
  --surface: #f4f6f8;
  --surface-raised: #ffffff;
  --accent: #3b76b8;
}
[data-theme='dark'] {
  --surface: #121923;
  --surface-raised: #1b2430;
}`;

const RECEIPT = `export function Receipt({ order }: { order: Order }) {
  return (
    <table width="600" bgcolor="#ffffff">
      <tr><td style={{ color: '#1b2430' }}>{order.number}</td></tr>
    </table>
  );
}`;

const BUTTON_BEFORE = `.button {
  color: #ffffff;
  background: #3b76b8;
}
.button:hover { background: #2f629c; }
.button[disabled] { background: #c9d3dd; color: #5b6b7d; }`;

const BUTTON_AFTER = `.button {
  color: var(--on-accent);
  background: var(--accent);
}
.button:hover { background: var(--accent-strong); }
.button[disabled] { background: var(--surface-sunken); color: var(--text-muted); }`;
