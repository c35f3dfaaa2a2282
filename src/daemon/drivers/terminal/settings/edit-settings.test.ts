import { describe, expect, test } from 'vitest';
import { findHooks, installHooks, removeHooks } from './edit-settings.ts';
import { hookEntries } from './hook-entries.ts';
import { hookEventNames } from './hook-events.ts';
import { SettingsInvalid, SettingsShapeWrong } from './parse-settings.ts';

const entries = hookEntries({ port: 8765, token: 'secret', tokenFile: '/data/hook-token.curlrc' });
const user = '{"matcher":"Bash","hooks":[{"type":"command","command":"echo mine"}]}';

const texts: [name: string, settings: string | undefined][] = [
  ['no file', undefined],
  ['an empty file', ''],
  ['a file of white space', ' \r\n\t'],
  ['a lone newline', '\n'],
  ['a lone byte order mark', '\uFEFF'],
  ['an empty object', '{}'],
  ['an empty object and a newline', '{}\n'],
  ['an empty object over two lines', '{\n}\n'],
  ['an empty object with odd spacing', ' \t{ \r\n\t } \n\n'],
  ['an empty object with a space, as our mark', '{ }'],
  ['an empty object with our mark and a line break', '{ \n}'],
  ['settings on one line', '{"model":"opus"}'],
  ['settings without a last newline', '{\n  "model": "opus"\n}'],
  ['settings with CRLF', '{\r\n  "model": "opus"\r\n}\r\n'],
  ['settings with a byte order mark', '\uFEFF{\n\t"model": "opus"\n}\n'],
  ['mixed line ends', '{\n  "a": 1,\r\n  "b": 2\r}\n'],
  ['no hooks in them', '{"hooks":{}}'],
  ['no hooks in them, spaced', '{\n    "hooks" : {\n\n    }\n}\n'],
  ['no hooks in them, with a space, as our mark', '{ "hooks": { } }'],
  ['an event without groups', '{"hooks":{"Stop":[]}}'],
  ['events without groups, one with our mark', '{"hooks":{"Stop":[ ],"PreToolUse":[\n]}, "x": []}'],
  ['own groups, on one line', `{"hooks":{"PreToolUse":[${user}]}}`],
  [
    'own groups, over lines',
    `{\n  "hooks": {\n    "PreToolUse": [\n      ${user}\n    ]\n  },\n  "model": "opus"\n}\n`,
  ],
  ['own groups for every event', `{"hooks":{${hookEventNames.map((event) => `"${event}":[${user}]`).join(', ')}}}`],
  ['events that only the user has', `{"hooks":{"MessageDisplay":[${user}],"Tomorrow":[${user}]}}`],
  ['a key that is spelled with an escape', `{"h\\u006foks":{"St\\u006fp":[${user}]}}`],
  ['hooks written twice', `{"hooks":{"Stop":[${user}]},"hooks":{}}`],
  ['an event written twice', `{"hooks":{"Stop":[],"Stop":[${user}]}}`],
  ['a group without hooks', '{"hooks":{"Stop":[{"hooks":[]},{}]}}'],
  ['odd things among the groups', '{"hooks":{"Stop":[1,null,"x",[],{"hooks":3}]}}'],
  ['deep and wide text', `{"a":{"hooks":{"Stop":[${user}]}},"é✓":"\\ud83d\\ude00 😀","n":-1.50e+3}`],
];

describe('install and remove', () => {
  test.each(texts)('restores %s byte for byte', (_, settings) => {
    const installed = installHooks(settings, entries);
    expect(removeHooks(installed)).toBe(settings);
    expect(installHooks(installed, entries)).toBe(installed);
    expect(new Set(findHooks(installed).map(({ event }) => event))).toEqual(new Set(Object.keys(entries)));
    expect(findHooks(installed)).toHaveLength(Object.values(entries).flatMap(({ hooks }) => hooks).length);
  });

  test.each(texts)('%s: an older registration is replaced', (_, settings) => {
    const older = installHooks(
      settings,
      hookEntries({ port: 1, token: 'old', tokenFile: '/data/hook-token.curlrc', clientVersion: '2.1.40' }),
    );
    expect(installHooks(older, entries)).toBe(installHooks(settings, entries));
  });

  test("writes one line per event, with the file's indentation and line endings", () => {
    const entries = hookEntries({
      port: 8765,
      token: 'secret',
      tokenFile: '/data/hook-token.curlrc',
      clientVersion: '2.0.0',
    });
    const lines = installHooks('{\r\n\t"model": "opus"\r\n}\r\n', entries).split('\r\n');
    expect(lines.map((line) => line.replace(/:.*/, ':…'))).toEqual([
      '{',
      '\t"model":…',
      '\t"hooks":…',
      ...Object.keys(entries).map((event) => `\t\t"${event}":…`),
      '\t}',
      '}',
      '',
    ]);
  });

  test('leaves text without our hooks unchanged', () => {
    for (const [, settings] of texts) expect(removeHooks(settings)).toBe(settings);
  });
});

describe('when the file was edited in between', () => {
  const reformat = (settings: string | undefined) => `${JSON.stringify(JSON.parse(settings ?? '{}'), null, 2)}\n`;

  test('removes ours and their empty containers after the client rewrites the file', () => {
    const installed = installHooks(`{"a":1,"hooks":{"Stop":[${user}]}}`, entries);
    expect(JSON.parse(removeHooks(reformat(installed)) ?? '')).toEqual({ a: 1, hooks: { Stop: [JSON.parse(user)] } });
    expect(removeHooks(reformat(installHooks('{"a":1}', entries)))).toBe('{\n  "a": 1\n}\n');
    expect(removeHooks(reformat(installHooks(undefined, entries)))).toBe('{}\n');
  });

  test('keeps settings that were added around ours', () => {
    const installed = installHooks('{\n  "a": 1\n}\n', entries);
    const edited = installed.replace('{\n', '{\n  "first": true,\n').replace(/\n}\n$/, ',\n  "last": true\n}\n');
    expect(removeHooks(edited)).toBe('{\n  "first": true,\n  "a": 1,\n  "last": true\n}\n');
  });

  test('removes ours after the user deleted all other settings', () => {
    expect(removeHooks(installHooks('{"a":1}', entries).replace('"a":1,', ''))).toBe('{}');
  });

  test('keeps hooks that another tool added before, after and inside our group', () => {
    const own = '{"type":"http","url":"http://127.0.0.1:8765/api/live/hook","headers":{"X-GroundControl-Token":"t"}}';
    const other = '{"type":"command","command":"other"}';
    const around = (hooks: string) => `{"hooks":{"Stop":[${user}, {"hooks":[${hooks}]} ,${user}]}}`;
    expect(removeHooks(around(own))).toBe(`{"hooks":{"Stop":[${user} ,${user}]}}`);
    expect(removeHooks(around(`${own}, ${other}`))).toBe(around(` ${other}`));
    expect(removeHooks(around(`${other},${own}`))).toBe(around(other));
    expect(removeHooks(`{"hooks":{"Stop":[{"hooks":[ ${own} ]},${user}]}}`)).toBe(`{"hooks":{"Stop":[${user}]}}`);
  });
});

describe('leaves hooks that only look like ours', () => {
  test.each([
    { type: 'http', url: 'http://127.0.0.1:8765/api/live/hook' },
    { type: 'http', url: 'http://127.0.0.1:8765/api/live/hook', headers: { authorization: 'x' } },
    { type: 'http', url: 'http://example.com/api/live/hook', headers: { 'x-groundcontrol-token': 't' } },
    { type: 'http', url: 'http://127.0.0.1:8765/other', headers: { 'x-groundcontrol-token': 't' } },
    { type: 'http', url: 'not a url', headers: { 'x-groundcontrol-token': 't' } },
    { type: 'command', command: 'echo # groundcontrol-hook is great' },
    { type: 'prompt', prompt: '# groundcontrol-hook' },
  ])('%j', (hook) => {
    const settings = JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } });
    expect(findHooks(settings)).toEqual([]);
    expect(removeHooks(installHooks(settings, entries))).toBe(settings);
  });
});

test('reports form, port and token of what it finds', () => {
  const found = findHooks(
    installHooks('{}', hookEntries({ port: 9000, token: 'secret', tokenFile: '/data/hook-token.curlrc' })),
  );
  const command = { form: 'command', port: 9000, tokenFile: '/data/hook-token.curlrc' };
  expect(found.slice(0, 6)).toEqual([
    { event: 'SessionStart', ...command },
    { event: 'SessionStart', ...command },
    { event: 'Setup', ...command },
    { event: 'SessionEnd', ...command },
    { event: 'UserPromptSubmit', form: 'http', port: 9000, token: 'secret' },
    { event: 'UserPromptSubmit', ...command },
  ]);
});

describe('refuses invalid JSON with the position', () => {
  test.each([
    ['{"a":1,}', 1, 8, /extra comma before this bracket/],
    ['{\n  // mine\n  "a": 1\n}', 2, 3, /comment/],
    ['{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3, /comma expected/],
    ['{"a": ', 1, 7, /ends unexpectedly/],
    ['\uFEFF{"a": tru}', 1, 7, /invalid symbol/],
    ["{'a': 1}", 1, 2, /invalid symbol/],
    ['{} {}', 1, 4, /end of file expected/],
  ])('%j', (settings, line, column, message) => {
    for (const act of [
      () => installHooks(settings, entries, 'the file'),
      () => removeHooks(settings, 'the file'),
      () => findHooks(settings, 'the file'),
    ]) {
      expect(act).toThrow(SettingsInvalid);
      expect(act).toThrow(message);
      expect(act).toThrow(`the file is not valid JSON`);
      expect(act).toThrow(expect.objectContaining({ line, column, code: 'settings.invalid' }));
    }
  });
});

describe("refuses a shape that can't hold hooks, by name", () => {
  test.each([
    ['[]', 'the top level is a JSON array, but must be a JSON object'],
    ['3', 'the top level is a JSON number'],
    ['{"hooks":[]}', '"hooks" is a JSON array, but must be a JSON object'],
    ['{"hooks":null}', '"hooks" is a JSON null'],
    ['{"hooks":{"Stop":{}}}', '"hooks.Stop" is a JSON object, but must be a JSON array'],
  ])('%s', (settings, message) => {
    expect(() => installHooks(settings, entries)).toThrow(SettingsShapeWrong);
    expect(() => installHooks(settings, entries)).toThrow(message);
    expect(removeHooks(settings)).toBe(settings);
    expect(findHooks(settings)).toEqual([]);
  });
});
