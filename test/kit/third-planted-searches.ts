import type { PlantedSearch } from './planted-searches.ts';

const plant = (query: string, finds: string[], misses: string[] = []): PlantedSearch => ({ query, finds, misses });

/** Forty more, written down before they were tried: mixed scripts, symbols, hyphens, quotes, paths, parts of words, emoji. */
export const THIRD_PLANTED_SEARCHES: readonly PlantedSearch[] = [
  // mixed scripts
  plant('React化', ['この画面はReact化が必要です'], ['React で化粧直し']),
  plant('useEffectフック', ['useEffectフックを消した'], ['フックにuseEffectを渡す']),
  plant('v2へ移行', ['来月v2へ移行する'], ['移行はv2の後']),
  plant('GPU显存', ['训练时GPU显存不够'], ['显示GPU的内存']),
  plant('iPhone에서', ['iPhone에서 안 열린다'], ['에서 iPhone']),
  plant('докер-compose', ['запусти докер-compose заново'], ['compose и докеры']),
  plant('naïveté', ['such naivete in review', 'la naïveté du plan'], ['naval plan']),
  plant('smørrebrød', ['ate Smørrebrød at noon'], ['smorgasbord at noon']),
  // code symbols
  plant('parseUserId', ['call parseUserId(raw) first'], ['parse the user idea']),
  plant('snake_case_name', ['rename it to snake_case_name here'], ['a case of names and snakes']),
  plant('std::unique_ptr', ['wrap it in std::unique_ptr<Widget>'], ['unique pointer of std']),
  plant('Array.prototype.flatMap', ['polyfill Array.prototype.flatMap now'], ['flatMap in array prototypes']),
  plant('foo->bar_baz', ['segfault at foo->bar_baz line 3'], ['bar of foo, baz']),
  plant('#[derive(Quark)]', ['add #[derive(Quark)] above'], ['derive a quack']),
  plant('@Injectable()', ['missing @Injectable() decorator'], ['an injection']),
  plant('x !== undefinedish', ['if (x !== undefinedish) return'], ['x was undefined']),
  plant('E0502', ['error[E0502]: cannot borrow'], ['error E0501', 'the number 502']),
  plant('0xDEADBEEF', ['magic 0xDEADBEEF in the header'], ['dead beef']),
  plant('C++23', ['needs C++23 modules'], ['C plus twenty-three']),
  plant('.gitattributes', ['edit .gitattributes first'], ['git attribute list']),
  // hyphens and flags
  plant('re-entrancy', ['a re-entrancy bug', 'Re-entrancy guard'], ['entrance fee again']),
  plant('--frozen-lockfile', ['npm ci --frozen-lockfile failed'], ['lock the frozen pizza']),
  plant('-Wno-unused', ['gcc -Wno-unused main.c'], ['unused, no warning']),
  plant('opt-in telemetry', ['make opt-in telemetry the default'], ['telemetry in options']),
  plant('x86-64-v3', ['built for x86-64-v3 only'], ['x86 of 64 bit']),
  // quotes
  plant('"connection reset by peer"', ['read: connection reset by peer'], ['the peer did reset the connection']),
  plant('"out of zorkmids"', ['you are out of zorkmids'], ['zorkmids ran out of luck']),
  plant("don't panic-zaphod", ["don't panic-zaphod said"], ['zaphod did panic']),
  plant('the "quux factor"', ['mind the quux factor'], ['the factor of quux']),
  // paths and addresses
  plant('src/gizmo/index.tsx', ['open src/gizmo/index.tsx please'], ['index of gizmos', 'src of tsx']),
  plant('~/.config/zellij', ['look in ~/.config/zellij'], ['configure a zell']),
  plant('C:\\Users\\ada\\notes.txt', ['saved to C:\\Users\\ada\\notes.txt'], ['ada used notes']),
  plant('https://plumbus.example/v1?id=7', ['GET https://plumbus.example/v1?id=7 gave 404'], ['an example plumber']),
  plant('10.42.0.17', ['ping 10.42.0.17 lost'], ['10.42.1.17 works', 'version 10.42']),
  plant('libfrob.so.6', ['cannot load libfrob.so.6'], ['so 6 frobs']),
  // parts of words
  plant('throttl', ['throttling the queue', 'it was throttled'], ['throat hurts']),
  plant('kubern', ['kubernetes pod gone'], ['cube of kernels']),
  plant('Größenän', ['eine Größenänderung später'], ['große Änderung']),
  // emoji
  plant('👩‍💻', ['pairing with 👩‍💻 today'], ['no 💻 here', 'a 👨‍💻 again']),
  plant('🏳️‍🌈', ['banner 🏳️‍🌈 added'], ['plain 🏳 flag']),
  plant('👍🏽', ['done 👍🏽 thanks'], ['done 👎 sorry']),
  plant('🇧🇷', ['locale 🇧🇷 missing'], ['locale 🇷🇧 odd']),
  plant('🚀 launch-day', ['big 🚀 launch-day plan'], ['launch on another day']),
  plant('❤️‍🔥', ['so much ❤️‍🔥 for this'], ['just ❤️ for it']),
];
