import fc from 'fast-check';
import { expect, test } from 'vitest';
import { installHooks, removeHooks } from './edit-settings.ts';
import { hookEntries } from './hook-entries.ts';
import { hookEventNames } from './hook-events.ts';
import { readOwnHook } from './own-hook.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const runs = { numRuns: 250 };
const entries = hookEntries({ port: 8765, token: 'secret', tokenFile: '/data/hook-token.curlrc' });

const userHook = fc.oneof(
  fc.record({ type: fc.constant('command'), command: fc.string({ unit: 'binary' }) }),
  fc.record({ type: fc.constant('http'), url: fc.webUrl(), headers: fc.dictionary(fc.string(), fc.string()) }),
  fc.record({ type: fc.constant('http'), url: fc.constant('http://127.0.0.1:8765/api/live/hook') }),
  fc.record({ type: fc.constant('prompt'), prompt: fc.string() }),
);
const userGroup = fc.oneof(
  { weight: 4, arbitrary: fc.record({ hooks: fc.array(userHook, { maxLength: 2 }) }) },
  { weight: 4, arbitrary: fc.record({ matcher: fc.string(), hooks: fc.array(userHook, { maxLength: 2 }) }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const eventName = fc.oneof(fc.constantFrom<string>(...hookEventNames), fc.string({ minLength: 1 }));
const userHooks = fc.dictionary(eventName, fc.array(userGroup, { maxLength: 3 }), { maxKeys: 5 });
const settings = fc
  .tuple(
    fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
    fc.option(userHooks, { nil: undefined }),
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }),
  )
  .map(([before, hooks, after]) => {
    const { hooks: _, ...first } = before;
    const { hooks: __, ...last } = after;
    return { ...first, ...(hooks && { hooks }), ...last } as Json;
  });

/** Fifty pieces of whitespace, used in turn between tokens: every layout a person or tool could have left. */
const wild = fc.array(fc.stringMatching(/^[ \t\r\n]{0,3}$/), { minLength: 50, maxLength: 50 });
const tidy = fc.constantFrom(0, 1, 2, 4, 8, '\t');

const text = fc.oneof(
  fc
    .tuple(settings, wild, fc.boolean())
    .map(([value, spaces, escaped]) => render(value, { spaces: spaces.values(), all: spaces, escaped })),
  fc
    .tuple(settings, tidy, fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\n', '\r\n', '\n\n'))
    .map(([value, indent, eol, tail]) => JSON.stringify(value, null, indent).replaceAll('\n', eol) + tail),
  fc.constantFrom('{}', '{ }', '{\n}', '{"hooks":{}}', '{"hooks": {\n}\n}', '{"hooks":{"Stop":[]}}'),
  fc.stringMatching(/^[ \t\r\n]{0,4}$/),
);
const file = fc.oneof(
  { weight: 30, arbitrary: fc.tuple(fc.constantFrom('', '', '\uFEFF'), text).map(([bom, rest]) => bom + rest) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

test('installing and removing restores the same bytes', () => {
  fc.assert(
    fc.property(file, (before) => {
      expect(removeHooks(installHooks(before, entries))).toBe(before);
    }),
    runs,
  );
});

test('installing again changes nothing, and a new port or an older client replaces all hooks', () => {
  const options = fc.record({
    port: fc.integer({ min: 1, max: 65_535 }),
    token: fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/),
    tokenFile: fc.string({ minLength: 1 }),
    clientVersion: fc.constantFrom(undefined, '2.0.0', '2.1.40', '2.1.70', '2.1.325'),
    whenDaemonGone: fc.option(fc.array(fc.string(), { maxLength: 3 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(file, options, (before, other) => {
      const installed = installHooks(before, entries);
      expect(installHooks(installed, entries)).toBe(installed);
      const replaced = installHooks(installed, hookEntries(other));
      expect(replaced).toBe(installHooks(before, hookEntries(other)));
      expect(removeHooks(replaced)).toBe(before);
    }),
    runs,
  );
});

test("the result is JSON with exactly the user's settings and our hooks", () => {
  fc.assert(
    fc.property(file, (before) => {
      const installed = parse(installHooks(before, entries));
      const original = parse(before ?? '');
      expect(withoutOurs(installed, original)).toEqual(original);
      for (const [event, group] of Object.entries(entries)) expect(installed.hooks?.[event]?.at(-1)).toEqual(group);
    }),
    runs,
  );
});

test('after any reformatting, ours are removed and the rest stays, except containers left empty', () => {
  fc.assert(
    fc.property(file, wild, (before, spaces) => {
      const installed = parse(installHooks(before, entries));
      const removed = removeHooks(render(installed as Json, { spaces: spaces.values(), all: spaces, escaped: false }));
      expect(withoutEmpty(parse(removed ?? ''))).toEqual(withoutEmpty(parse(before ?? '')));
    }),
    runs,
  );
});

interface Layout {
  spaces: Iterator<string>;
  all: string[];
  escaped: boolean;
}

function render(value: Json, layout: Layout): string {
  const space = () => {
    const next = layout.spaces.next();
    if (!next.done) return next.value;
    layout.spaces = layout.all.values();
    return layout.spaces.next().value ?? '';
  };
  const string = (name: string) =>
    layout.escaped
      ? `"${[...Array(name.length).keys()].map((i) => `\\u${name.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`
      : JSON.stringify(name);
  const print = (item: Json): string => {
    if (typeof item === 'string') return string(item);
    if (typeof item !== 'object' || item === null) return JSON.stringify(item);
    const isArray = Array.isArray(item);
    const inner = isArray
      ? item.map((element) => `${space()}${print(element)}${space()}`)
      : Object.entries(item).map(
          ([key, element]) => `${space()}${string(key)}${space()}:${space()}${print(element)}${space()}`,
        );
    const [open, close] = isArray ? '[]' : '{}';
    return `${open}${inner.join(',') || space()}${close}`;
  };
  return space() + print(value) + space();
}

type Parsed = { hooks?: Record<string, { hooks?: unknown[] }[]> };

function parse(settings: string): Parsed {
  const bare = settings.replace(/^\uFEFF/, '');
  return bare.trim() === '' ? {} : JSON.parse(bare);
}

const isOurs = (group: { hooks?: unknown[] } | null) =>
  Array.isArray(group?.hooks) && group.hooks.length > 0 && group.hooks.every((hook) => readOwnHook(hook) !== undefined);

function withoutOurs({ hooks, ...rest }: Parsed, original: Parsed): Parsed {
  if (!original.hooks) return rest;
  const kept = Object.entries(hooks ?? {})
    .map(
      ([event, groups]) => [event, Array.isArray(groups) ? groups.filter((group) => !isOurs(group)) : groups] as const,
    )
    .filter(([event]) => Object.hasOwn(original.hooks ?? {}, event));
  return { ...rest, hooks: Object.fromEntries(kept) };
}

function withoutEmpty({ hooks, ...rest }: Parsed): Parsed {
  const kept = Object.entries(hooks ?? {}).filter(([, groups]) => !Array.isArray(groups) || groups.length > 0);
  return kept.length > 0 ? { ...rest, hooks: Object.fromEntries(kept) } : rest;
}
