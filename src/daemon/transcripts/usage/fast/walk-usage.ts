import type { UsageRecord } from '../usage.ts';
import { LastBytes } from './last-bytes.ts';

/*
 * Kept for speed alone: reading lines takes 1.8 to 2.6 times as long with JSON.parse (docs/benchmarks.md).
 *
 * What a message used, read from the bytes of its line without making anything of the rest: four times as fast as to parse even the
 * little that is left of a line without its content. Fields may come in any order, with blanks between them. Escapes outside the
 * content, numbers that are not whole, or anything else the client does not write, and the walk is given up.
 */

const TAB = 0x09;
const BLANK = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const ZERO = 0x30;

const TYPE = ascii('type');
const USER = ascii('user');
const ASSISTANT = ascii('assistant');
const TIMESTAMP = ascii('timestamp');
const SIDECHAIN = ascii('isSidechain');
const BRANCH = ascii('gitBranch');
const FORKED_FROM = ascii('forkedFrom');
const MESSAGE = ascii('message');
const ID = ascii('id');
const MODEL = ascii('model');
const ROLE = ascii('role');
const CONTENT = ascii('content');
const STOP_REASON = ascii('stop_reason');
const USAGE = ascii('usage');
const QUOTED_USAGE = ascii('"usage"');
const INPUT = ascii('input_tokens');
const OUTPUT = ascii('output_tokens');
const CACHE_READ = ascii('cache_read_input_tokens');
const CACHE_WRITE = ascii('cache_creation_input_tokens');
const CACHE_CREATION = ascii('cache_creation');
const WRITE_5M = ascii('ephemeral_5m_input_tokens');
const WRITE_1H = ascii('ephemeral_1h_input_tokens');
const SERVER_TOOLS = ascii('server_tool_use');
const WEB_SEARCHES = ascii('web_search_requests');
const SPEED = ascii('speed');
const FAST = ascii('fast');
const TIER = ascii('service_tier');
const BATCH = ascii('batch');
const GEO = ascii('inference_geo');
const US = ascii('us');
const ITERATIONS = ascii('iterations');
const ADVISOR = ascii('advisor_message');
const API_ID = ascii('msg_');
const TRUE = ascii('true');
const FALSE = ascii('false');
const NULL = ascii('null');

/** A few short fields come between a message's content and its usage. */
const MAX_GAP = 400;
/** By how many bytes that guess may be off. */
const GUESS = 32;
const MAX_DEPTH = 8;
const MAX_NAME = 256;
const MAX_END = 1024;
/** More digits may exceed a number's precision. */
const MAX_DIGITS = 15;
const TIME_LENGTH = '2026-11-16T01:02:03.456Z'.length;

/** A single instance: creating an error takes longer than reading a line. */
const GIVEN_UP = new Error('this line must be parsed');
const NO_USAGE = new Error('this line has no usage');

/** What may come between JSON strings. */
const PLAIN = new Uint8Array(256);
for (const sign of '{}[]:, \t0123456789+-.eEtrufalsn') PLAIN[sign.charCodeAt(0)] = 1;

/** One for all lines: its content is valid until the next walk. */
export class UsageWalk {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  /** Where the last string read is, without its quotes. */
  #from = 0;
  #to = 0;
  readonly #ids = new LastName();
  readonly #models = new LastName();
  readonly #branches = new LastName();
  /** What comes after the time is usually the same in all lines of a file, so it is walked once. */
  readonly #lastEnd = new LastBytes(MAX_END);
  #lastBranch: string | null = null;
  #usageFromEnd = 0;
  #record: UsageRecord = emptyRecord();
  #hour = 0;
  #minutes = 0;
  #written = 0;

  /** null: the line has no usage, such as a user's. undefined: it can't be read this way. */
  read(bytes: Buffer, start: number, end: number): UsageRecord | null | undefined {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#record = emptyRecord();
    try {
      return this.#line();
    } catch (error) {
      if (error === GIVEN_UP) return undefined;
      if (error === NO_USAGE) return null;
      throw error;
    }
  }

  #line(): UsageRecord | null {
    const record = this.#record;
    let hasMessage = false;
    let isAnswer = false;
    /** Where everything after the message's time starts, and what was seen of it: 1 type, 2 branch, 4 anything else that counts. */
    let ending = 0;
    let seen = 0;
    record.at = Number.NaN;
    this.#expect(OPEN_OBJECT);
    do {
      this.#key();
      if (this.#is(TYPE)) {
        this.#text();
        if (!hasMessage && this.#is(USER)) return null;
        isAnswer = this.#is(ASSISTANT);
        if (!isAnswer) throw GIVEN_UP;
        seen |= 1;
      } else if (this.#is(TIMESTAMP)) {
        this.#text();
        record.at = this.#time();
        if (Number.isNaN(record.at)) throw GIVEN_UP;
        if (hasMessage && this.#lastEnd.areAt(this.#bytes, this.#at, this.#end)) {
          record.branch = this.#lastBranch;
          return record;
        }
        ending = hasMessage ? this.#at : 0;
        seen = 0;
      } else if (this.#is(BRANCH)) {
        record.branch = this.#name(this.#branches);
        seen |= 2;
      } else if (this.#is(SIDECHAIN)) {
        record.isSidechain = this.#literal();
        seen |= 4;
      } else if (this.#is(MESSAGE)) {
        if (hasMessage) throw GIVEN_UP;
        hasMessage = true;
        this.#message();
      } else if (this.#is(FORKED_FROM)) throw GIVEN_UP;
      else this.#skip(hasMessage ? 0 : MAX_DEPTH);
    } while (this.#goesOn());
    if (this.#at !== this.#end || !hasMessage || !isAnswer || Number.isNaN(record.at)) throw GIVEN_UP;
    if (ending > 0 && seen === 3 && this.#lastEnd.keep(this.#bytes, ending, this.#end))
      this.#lastBranch = record.branch;
    return record;
  }

  #message(): void {
    let seen = 0;
    this.#expect(OPEN_OBJECT);
    do {
      this.#key();
      let field = 0;
      if (this.#is(ID)) {
        field = 1;
        this.#text();
        if (!this.#startsWith(API_ID)) throw GIVEN_UP;
        this.#record.key = this.#ids.of(this.#bytes, this.#from, this.#to);
      } else if (this.#is(MODEL)) {
        field = 2;
        this.#text();
        this.#record.model = this.#models.of(this.#bytes, this.#from, this.#to);
        if (this.#record.model === '') throw GIVEN_UP;
      } else if (this.#is(ROLE)) {
        field = 4;
        this.#text();
        if (!this.#is(ASSISTANT)) throw GIVEN_UP;
      } else if (this.#is(STOP_REASON)) {
        field = 8;
        this.#skip(0);
      } else if (this.#is(USAGE)) {
        field = 16;
        this.#usage();
      } else if (this.#is(CONTENT)) {
        field = 32;
        if ((seen & 16) === 0) this.#passContent();
        else this.#skipAny();
      } else this.#skip(0);
      if ((seen & field) !== 0) throw GIVEN_UP;
      seen |= field;
    } while (this.#goesOn());
    if (seen !== 63) throw GIVEN_UP;
  }

  /**
   * Assumed to be everything up to the last `]` before the usage. If it isn't, brackets don't match and the walk doesn't reach the line's
   * end, unless a field next to the message has a list, then a usage, just like the message. No client writes such a line.
   */
  #passContent(): void {
    const open = this.#at;
    const mark = this.#findUsage();
    const first = Math.max(open, mark - MAX_GAP);
    for (let closed = mark; closed > first && this.#bytes[open] === OPEN_ARRAY; closed--) {
      if (this.#bytes[closed] !== CLOSE_ARRAY) continue;
      this.#at = closed + 1;
      return;
    }
    this.#skipAny();
  }

  /** Usually as far from the line's end as in the last line, give or take some digits. */
  #findUsage(): number {
    const last = this.#end - QUOTED_USAGE.length;
    const guess = this.#end - this.#usageFromEnd;
    for (let at = Math.min(guess + GUESS, last); at >= guess - GUESS && at > this.#at; at--)
      if (this.#bytes[at] === QUOTE && matches(this.#bytes, at, QUOTED_USAGE)) return at;
    const found = this.#bytes.subarray(this.#at, this.#end).lastIndexOf(QUOTED_USAGE);
    // the message has content but no usage: it is a user's
    if (found === -1) throw NO_USAGE;
    this.#usageFromEnd = this.#end - this.#at - found;
    return this.#at + found;
  }

  /** Past a list or object of any content: only strings and brackets are checked. */
  #skipAny(): void {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    let depth = 0;
    do {
      const byte = bytes[at]!;
      if (byte === QUOTE) at = this.#closingQuote(at + 1);
      else if (PLAIN[byte] === 0) throw GIVEN_UP;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
      at++;
    } while (depth > 0 && at < end);
    if (depth !== 0) throw GIVEN_UP;
    this.#at = at;
  }

  #closingQuote(from: number): number {
    const bytes = this.#bytes;
    for (let at = bytes.indexOf(QUOTE, from); at !== -1 && at < this.#end; at = bytes.indexOf(QUOTE, at + 1)) {
      let before = at;
      while (bytes[before - 1] === BACKSLASH) before--;
      if ((at - before) % 2 === 0) return at;
    }
    throw GIVEN_UP;
  }

  #usage(): void {
    const record = this.#record;
    this.#hour = 0;
    this.#minutes = 0;
    this.#written = 0;
    this.#expect(OPEN_OBJECT);
    if (this.#isEmpty()) return;
    do {
      this.#key();
      if (this.#is(INPUT)) record.input = this.#count();
      else if (this.#is(OUTPUT)) record.output = this.#count();
      else if (this.#is(CACHE_READ)) record.cacheRead = this.#count();
      else if (this.#is(CACHE_WRITE)) this.#written = this.#count();
      else if (this.#is(CACHE_CREATION)) this.#cacheCreation();
      else if (this.#is(SERVER_TOOLS)) this.#serverTools();
      else if (this.#is(SPEED)) record.isFast = this.#isText(FAST);
      else if (this.#is(TIER)) record.isBatch = this.#isText(BATCH);
      else if (this.#is(GEO)) record.isUsOnly = this.#isText(US);
      else if (this.#is(ITERATIONS)) this.#iterations();
      else this.#skip(0);
    } while (this.#goesOn());
    const split = this.#hour + this.#minutes;
    record.cacheWrite1h = this.#hour;
    record.cacheWrite5m = (split > 0 ? split : this.#written) - this.#hour;
  }

  /** Skips any value other than a non-empty object. */
  #opens(): boolean {
    if (this.#bytes[this.#at] !== OPEN_OBJECT) {
      this.#skip(0);
      return false;
    }
    this.#at++;
    return !this.#isEmpty();
  }

  #cacheCreation(): void {
    this.#hour = 0;
    this.#minutes = 0;
    if (!this.#opens()) return;
    do {
      this.#key();
      if (this.#is(WRITE_5M)) this.#minutes = this.#count();
      else if (this.#is(WRITE_1H)) this.#hour = this.#count();
      else this.#skip(0);
    } while (this.#goesOn());
  }

  #serverTools(): void {
    this.#record.webSearches = 0;
    if (!this.#opens()) return;
    do {
      this.#key();
      if (this.#is(WEB_SEARCHES)) this.#record.webSearches = this.#count();
      else this.#skip(0);
    } while (this.#goesOn());
  }

  /** Other models that helped are separate records. */
  #iterations(): void {
    const from = this.#at;
    this.#skip(0);
    if (this.#bytes.subarray(from, this.#at).includes(ADVISOR)) throw GIVEN_UP;
  }

  /** The key's text is the last one read. */
  #key(): void {
    this.#text();
    this.#expect(COLON);
    this.#skipBlanks();
  }

  #skipBlanks(): void {
    while (this.#bytes[this.#at] === BLANK || this.#bytes[this.#at] === TAB) this.#at++;
  }

  #text(): void {
    this.#expect(QUOTE);
    const bytes = this.#bytes;
    let at = this.#at;
    this.#from = at;
    for (; at < this.#end; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH || byte < 0x20) throw GIVEN_UP;
    }
    if (at >= this.#end) throw GIVEN_UP;
    this.#to = at;
    this.#at = at + 1;
  }

  #name(names: LastName): string | null {
    if (this.#bytes[this.#at] !== QUOTE) {
      this.#skip(MAX_DEPTH);
      return null;
    }
    this.#text();
    return names.of(this.#bytes, this.#from, this.#to) || null;
  }

  #isText(text: Buffer): boolean {
    if (this.#bytes[this.#at] !== QUOTE) {
      this.#skip(0);
      return false;
    }
    this.#text();
    return this.#is(text);
  }

  #literal(): boolean {
    const at = this.#at;
    this.#skip(MAX_DEPTH);
    return this.#at - at === TRUE.length && matches(this.#bytes, at, TRUE);
  }

  #count(): number {
    const first = this.#bytes[this.#at]!;
    if (first !== MINUS && (first < ZERO || first > ZERO + 9)) {
      this.#skip(0);
      return 0;
    }
    return Math.max(0, this.#number());
  }

  #number(): number {
    const bytes = this.#bytes;
    const isNegative = bytes[this.#at] === MINUS;
    if (isNegative) this.#at++;
    const from = this.#at;
    let value = 0;
    let at = from;
    for (; at < this.#end; at++) {
      const digit = bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at === from || at - from > MAX_DIGITS || (bytes[from] === ZERO && at - from > 1)) throw GIVEN_UP;
    this.#at = at;
    return isNegative ? -value : value;
  }

  #fraction(): void {
    const bytes = this.#bytes;
    if (bytes[this.#at] === 0x2e) {
      this.#at++;
      this.#someDigits();
    }
    if (bytes[this.#at] !== 0x65 && bytes[this.#at] !== 0x45) return;
    this.#at++;
    if (bytes[this.#at] === MINUS || bytes[this.#at] === 0x2b) this.#at++;
    this.#someDigits();
  }

  #someDigits(): void {
    const from = this.#at;
    while (this.#bytes[this.#at]! >= ZERO && this.#bytes[this.#at]! <= ZERO + 9) this.#at++;
    if (this.#at === from) throw GIVEN_UP;
  }

  /** Past a value that doesn't matter. */
  #skip(depth: number): void {
    const first = this.#bytes[this.#at]!;
    if (first === QUOTE) this.#text();
    else if (first === OPEN_OBJECT || first === OPEN_ARRAY) this.#skipNested(depth);
    else if (first === TRUE[0]) this.#word(TRUE);
    else if (first === FALSE[0]) this.#word(FALSE);
    else if (first === NULL[0]) this.#word(NULL);
    else {
      this.#number();
      this.#fraction();
    }
  }

  #skipNested(depth: number): void {
    if (depth >= MAX_DEPTH) throw GIVEN_UP;
    const isObject = this.#bytes[this.#at++] === OPEN_OBJECT;
    if (this.#isEmpty()) return;
    do {
      if (isObject) this.#key();
      this.#skip(depth + 1);
    } while (this.#goesOn(isObject ? CLOSE_OBJECT : CLOSE_ARRAY));
  }

  #word(word: Buffer): void {
    if (!matches(this.#bytes, this.#at, word)) throw GIVEN_UP;
    this.#at += word.length;
  }

  #isEmpty(): boolean {
    const opened = this.#bytes[this.#at - 1]!;
    this.#skipBlanks();
    const byte = this.#bytes[this.#at];
    if (byte !== (opened === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY)) return false;
    this.#at++;
    return true;
  }

  #goesOn(close = CLOSE_OBJECT): boolean {
    this.#skipBlanks();
    const byte = this.#bytes[this.#at++];
    if (byte === COMMA) {
      this.#skipBlanks();
      return true;
    }
    if (byte !== close || this.#at > this.#end) throw GIVEN_UP;
    return false;
  }

  #expect(byte: number): void {
    this.#skipBlanks();
    if (this.#bytes[this.#at++] !== byte) throw GIVEN_UP;
  }

  /** Whether the last text read is this one. */
  #is(text: Buffer): boolean {
    return this.#to - this.#from === text.length && matches(this.#bytes, this.#from, text);
  }

  #startsWith(text: Buffer): boolean {
    return this.#to - this.#from >= text.length && matches(this.#bytes, this.#from, text);
  }

  /** `2026-11-16T01:02:03.456Z`, the client's format. */
  #time(): number {
    const bytes = this.#bytes;
    const from = this.#from;
    const isUsual =
      this.#to - from === TIME_LENGTH &&
      bytes[from + 4] === MINUS &&
      bytes[from + 7] === MINUS &&
      bytes[from + 10] === 0x54 &&
      bytes[from + 13] === COLON &&
      bytes[from + 16] === COLON &&
      bytes[from + 19] === 0x2e &&
      bytes[from + 23] === 0x5a;
    if (!isUsual) throw GIVEN_UP;
    const year = this.#digits(from, 4);
    const month = this.#digits(from + 5, 2);
    const day = this.#digits(from + 8, 2);
    const hour = this.#digits(from + 11, 2);
    const minute = this.#digits(from + 14, 2);
    const second = this.#digits(from + 17, 2);
    const isDay = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 28;
    // the last days of a month are few, and not every month has them
    if (!isDay || hour > 23 || minute > 59 || second > 59) return Date.parse(bytes.toString('latin1', from, this.#to));
    return Date.UTC(year, month - 1, day, hour, minute, second, this.#digits(from + 20, 3));
  }

  #digits(from: number, length: number): number {
    let number = 0;
    for (let at = from; at < from + length; at++) {
      const digit = this.#bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) throw GIVEN_UP;
      number = number * 10 + digit;
    }
    return number;
  }
}

/** Consecutive lines usually name the same one, so the string is created once. */
class LastName {
  readonly #bytes = new LastBytes(MAX_NAME);
  #name = '';

  of(bytes: Buffer, start: number, end: number): string {
    if (this.#bytes.areAt(bytes, start, end)) return this.#name;
    if (!this.#bytes.keep(bytes, start, end)) throw GIVEN_UP;
    this.#name = bytes.toString('utf8', start, end);
    return this.#name;
  }
}

function matches(bytes: Buffer, at: number, text: Buffer): boolean {
  for (let place = 0; place < text.length; place++) if (bytes[at + place] !== text[place]) return false;
  return true;
}

function emptyRecord(): UsageRecord {
  return {
    key: '',
    at: 0,
    model: '',
    branch: null,
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    webSearches: 0,
    isFast: false,
    isBatch: false,
    isUsOnly: false,
    isSidechain: false,
    isCopy: false,
    isForked: false,
  };
}

function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
