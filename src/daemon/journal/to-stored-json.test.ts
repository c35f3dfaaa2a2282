import { expect, it } from 'vitest';
import { openInMemory } from './sqlite.ts';
import { toStoredJson } from './to-stored-json.ts';

it.each([
  ['\ud800', '\ufffd'],
  ['\udfff after', '\ufffd after'],
  ['a\ud83dz', 'a\ufffdz'],
  ['🙂', '🙂'],
  ['\ud83d🙂\ude42', '\ufffd🙂\ufffd'],
  ['\\ud800', '\\ud800'],
  ['\\\ud800', '\\\ufffd'],
  ['C:\\users', 'C:\\users'],
])('keeps %j as %j, and SQLite can extract it', (text, kept) => {
  const stored = toStoredJson({ by: text });
  expect(JSON.parse(stored)).toEqual({ by: kept });
  expect(openInMemory().prepare("SELECT json_extract(?, '$.by') AS who").get(stored)).toMatchObject({ who: kept });
});
