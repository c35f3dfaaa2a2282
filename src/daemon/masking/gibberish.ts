/**
 * How surprising each letter is after the one before it, in bits, from the words of source code and documentation: one row for each
 * first letter, one digit for each second. Random letters average 6.4 bits, words and identifiers 3.6.
 */
const SURPRISE = [
  '95448759596353959343667869',
  '36663788459377379447399959',
  '38673893594489279463599979',
  '46751678298577479547589969',
  '47436569799453857334967579',
  '37673499299487389555499959',
  '48682854399564479346489988',
  '29982999399768399574599969',
  '56445559998452359543959796',
  '39772997596978368728475999',
  '47751757399675679735597979',
  '37852789399399379845578959',
  '25862999398658339957599989',
  '49433639596786479832569979',
  '66558669686442549354454799',
  '38863886498379349354589969',
  '88899999799489977567086999',
  '38552769396655379544568959',
  '59482894396677448742487969',
  '39572794299678479445597959',
  '55554769599443849333899899',
  '28791889299978589878899999',
  '29863983398794379448996999',
  '49473698389658729762999657',
  '56564769599444429534895987',
  '28981897399678479758788955',
];
/** Between a letter and a digit, and between digits. */
const MIXED_PAIR = 5.2;
const DIGITS_PAIR = 4;
const CASE_CHANGE = 5.2;
const A = 97;

/** Bits per character that the next one is a surprise. Words are below 4.6, whatever they are joined with; random text is above 5. */
export function surpriseOf(value: string): number {
  let bits = 0;
  let pairs = 0;
  for (let at = 1; at < value.length; at++) {
    const first = value.charCodeAt(at - 1);
    const second = value.charCodeAt(at);
    const pair = surpriseOfPair(first, second);
    if (pair === undefined) continue;
    bits += pair;
    pairs++;
  }
  return pairs === 0 ? 0 : bits / pairs;
}

function surpriseOfPair(first: number, second: number): number | undefined {
  const from = letterOf(first);
  const to = letterOf(second);
  if (from !== undefined && to !== undefined) {
    // a small letter before a capital ends a word
    const changes = first >= A && second < A;
    const bits = SURPRISE[from]!.charCodeAt(to) - 48;
    return changes ? Math.max(CASE_CHANGE, bits) : bits;
  }
  const isDigit = (code: number) => code >= 48 && code <= 57;
  if (isDigit(first) && isDigit(second)) return DIGITS_PAIR;
  if ((isDigit(first) && to !== undefined) || (isDigit(second) && from !== undefined)) return MIXED_PAIR;
  return undefined;
}

/** 0 for a and A. */
function letterOf(code: number): number | undefined {
  const small = code | 32;
  return small >= A && small <= 122 && code >= 65 ? small - A : undefined;
}

/** Commits, checksums and UUIDs, also with a prefix, are random, too. */
const HEX = /^(?:0x|[a-z]{1,16}[-_])?[0-9a-f_-]+$/i;

/** Nobody typed it and no dictionary has it: longer texts have to be less surprising, since chance evens out. */
export function isGibberish(value: string): boolean {
  if (value.length < 10 || HEX.test(value)) return false;
  return surpriseOf(value) >= (value.length < 16 ? 5.2 : value.length < 24 ? 4.85 : 4.8);
}
