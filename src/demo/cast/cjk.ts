import { bash, read, todos } from '../tool-calls.ts';
import { type Part, SONNET } from './part.ts';

/** Has answered in Japanese and waits for its next prompt. */
export const japanese: Part = {
  project: 'fieldnotes-mobile',
  model: SONNET,
  startedAgo: 29,
  context: 152_000,
  async play(session) {
    const { main, project } = session;
    const file = `${project.path}/src/search/tokenize.ts`;
    await session.prompt('日本語のメモが全文検索でヒットしない原因を調べてください');
    await main.pause(4);
    await main.use(todos(['原因を調べる', '直し方を比べる'], 0));
    await main.use(read(file, 'export const tokenize = (text: string) => text.toLowerCase().split(/\\s+/);'));
    await main.use(
      bash('node scripts/search-probe.mjs "東京湾の潮位"', '0 hits (1 token)', { description: '検索してみる' }),
      { lasts: 2 },
    );
    await main.use(todos(['原因を調べる', '直し方を比べる'], 2, { isOver: true }));
    await main.untilAgo(19.5);
    await session.finish(ANSWER);
  },
};

const ANSWER = `**原因:** 空白で単語を区切っているため、日本語の文は丸ごと一つのトークンになります。

\`\`\`ts
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });
export const tokenize = (text: string) => [...segmenter.segment(text)].filter((s) => s.isWordLike).map((s) => s.segment);
\`\`\`

| 方法 | 精度 | 大きさ |
| --- | --- | --- |
| \`Intl.Segmenter\` | 良い | 0 KB |
| trigram | 普通 | 索引が 3 倍 |
| 形態素解析 | とても良い | 辞書 12 MB |

\`Intl.Segmenter\` をお勧めします。実装しますか？`;
