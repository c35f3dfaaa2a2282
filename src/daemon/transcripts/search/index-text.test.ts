import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openHistory } from '../index/schema.ts';
import { toIndexText, toQueryText } from './index-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'gc-text-'));
const db = openHistory(join(folder, 'history.db'));
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

function finds(text: string, query: string): boolean {
  db.exec('DELETE FROM text');
  db.prepare('INSERT INTO text (rowid, body) VALUES (1, ?)').run(toIndexText(text));
  const { text: words, isPrefix } = toQueryText(query);
  return db.prepare('SELECT 1 FROM text WHERE text MATCH ?').get(`"${words}"${isPrefix ? '*' : ''}`) !== undefined;
}

test('leaves plain text alone', () => {
  const text = 'const a_b = "x"; // fine\n';
  expect(toIndexText(text)).toBe(text);
  expect(toQueryText(text)).toEqual({ text, isPrefix: false });
});

test.each([
  ['Japanese', '私は日本語を話します', ['日本語', '日本', '話', '語を', 'します', '私']],
  ['Chinese', '请修复登录页面的错误', ['登录', '错误', '修复登录', '面', '误']],
  ['Korean', '우리학교에서 배포를 확인했다', ['학교', '배포', '확인', '우리학교에서', '다']],
  ['Thai', 'กรุณาแก้ไขหน้าเข้าสู่ระบบให้ด้วย', ['แก้ไข', 'เข้าสู่ระบบ', 'หน้า', 'ด้วย']],
  ['Thai with marks', 'ดื่มน้ำเย็น', ['น้ำ', 'ดื่ม', 'เย็น']],
  ['Khmer and Lao', 'សួស្តី ສະບາຍດີ', ['ស្តី', 'ບາຍ']],
  ['Hindi', 'कृपया हिन्दी में लिखें', ['हिन्दी', 'लिखें']],
  ['Hebrew and Arabic, with and without vowels', 'שָׁלוֹם مَرْحَبًا', ['שלום', 'مرحبا']],
  ['Vietnamese', 'Tiếng Việt ở Đà Nẵng, đường phố', ['Viet', 'việt', 'tieng', 'Da Nang', 'duong']],
  ['other accents', 'Łódź, Straße, smørrebrød, Æther, façade', ['lodz', 'strasse', 'smorrebrod', 'aether', 'facade']],
  ['decomposed letters', 'cafe\u0301', ['café', 'cafe']],
  ['emoji', 'ship it 🚀 now ❤️ 👩‍💻 👍🏽', ['🚀', '❤', '❤️', '👩‍💻', '👍', 'it 🚀 now']],
  ['arrows and marks', 'a → b ✓', ['→', '✓', 'a → b']],
  ['full width', 'ＡＰＩ ｷｰ', ['api', 'キー']],
  ['mixed', 'APIキーの設定fileを第3章で見る', ['APIキー', '設定file', '設定', 'file', '第3章', '第3', '3章', '章']],
])('%s: finds each word within a sentence', (_, text, words) => {
  expect(words.filter((word) => !finds(text, word))).toEqual([]);
});

test.each([
  ['日本語を話す', '本日'],
  ['日本語を話す', '語話'],
  ['設定 file', '定設'],
  ['ดื่มนำ', 'น้ำ'],
  ['हिन्दी', 'हन्दी'],
  ['🚀', '🚁'],
  ['第3章', '第4章'],
])('%s: does not find %s', (text, word) => {
  expect(finds(text, word)).toBe(false);
});
