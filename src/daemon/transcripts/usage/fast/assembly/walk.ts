import { branches, IS_BATCH, IS_FAST, IS_SIDECHAIN, IS_US_ONLY, Message, models, NONE } from './messages';
import {
  ascii,
  at,
  byteAt,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  closes,
  count,
  DOT,
  end,
  expect,
  findLastText,
  findText,
  from,
  goesOn,
  is,
  isAt,
  isEmpty,
  isTrue,
  key,
  literal,
  MINUS,
  moveTo,
  number,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skip,
  skipAny,
  text,
  to,
  ZERO,
} from './text';

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

/** Between a message's content and its usage there are a few short fields. */
const MAX_GAP: usize = 400;
/** How many bytes the guess of the usage's position may be off. */
const GUESS: usize = 32;
const MAX_DEPTH = 8;
const TIME_LENGTH: usize = 24;

/** The model name in lines that the client generated itself: nothing was used. */
const SYNTHETIC = ascii('<synthetic>');

/** The result for a line: nothing was used, the usage is in the draft, or JSON.parse must decide. */
export const NOTHING = 0;
export const COUNTED = 1;
export const UNCLEAR = 2;

/** What the line being read used, and its message's id. */
export const draft = changetype<Message>(memory.data(80, 8));
export let id: usize = 0;
export let idLength: usize = 0;

/** What comes after the time is mostly the same in all lines of a file, so it is read once. */
const lastEnding = memory.data(1024, 8);
const MAX_ENDING: usize = 1024;
let endingLength: usize = 0;
let endingBranch: u32 = NONE;
let usageFromEnd: usize = 0;

/** Forgets everything about the previous file. */
export function forget(): void {
  endingLength = 0;
}

/** Inside a string the quotes would be escaped, so a line without the quoted word has no such key. */
export function mentionsUsage(start: usize, stop: usize): bool {
  return findText(QUOTED_USAGE, start, stop) < stop;
}

/** Reads the line into the draft. */
export function line(): i32 {
  let hasMessage = false;
  let isAnswer = false;
  /** Where the part after the message's time starts, and what it contained: 1 type, 2 branch, 4 anything else that matters. */
  let ending: usize = 0;
  let seen = 0;
  memory.fill(changetype<usize>(draft), 0, offsetof<Message>());
  draft.branch = NONE;
  draft.at = NaN;
  if (!expect(OPEN_OBJECT)) return UNCLEAR;
  do {
    if (!key()) return UNCLEAR;
    if (is(TYPE)) {
      if (!text()) return UNCLEAR;
      if (!hasMessage && is(USER)) return NOTHING;
      isAnswer = is(ASSISTANT);
      if (!isAnswer) return UNCLEAR;
      seen |= 1;
    } else if (is(TIMESTAMP)) {
      if (!text() || !time()) return UNCLEAR;
      if (hasMessage && end - at === endingLength && memory.compare(at, lastEnding, endingLength) === 0) {
        draft.branch = endingBranch;
        return COUNTED;
      }
      ending = hasMessage ? at : 0;
      seen = 0;
    } else if (is(BRANCH)) {
      if (!branch()) return UNCLEAR;
      seen |= 2;
    } else if (is(SIDECHAIN)) {
      if (!literal()) return UNCLEAR;
      setFlag(IS_SIDECHAIN, isTrue);
      seen |= 4;
    } else if (is(MESSAGE)) {
      if (hasMessage) return UNCLEAR;
      hasMessage = true;
      const kind = message();
      if (kind !== COUNTED) return kind;
    } else if (is(FORKED_FROM)) return UNCLEAR;
    else if (!skip(hasMessage ? MAX_DEPTH : 0)) return UNCLEAR;
  } while (goesOn());
  if (!closes(CLOSE_OBJECT) || at !== end || !hasMessage || !isAnswer || !(draft.at >= 0)) return UNCLEAR;
  if (ending > 0 && seen === 3 && end - ending <= MAX_ENDING) {
    endingLength = end - ending;
    memory.copy(lastEnding, ending, endingLength);
    endingBranch = draft.branch;
  }
  return COUNTED;
}

function branch(): bool {
  draft.branch = NONE;
  if (byteAt(at) !== QUOTE) return skip(0);
  if (!text()) return false;
  if (from === to) return true;
  draft.branch = branches.placeOf(from, to - from);
  return draft.branch !== NONE;
}

function setFlag(flag: u32, isSet: bool): void {
  draft.flags = isSet ? draft.flags | flag : draft.flags & ~flag;
}

function message(): i32 {
  let seen = 0;
  if (!expect(OPEN_OBJECT)) return UNCLEAR;
  do {
    let field = 0;
    if (!key()) return UNCLEAR;
    if (is(ID)) {
      field = 1;
      if (!text() || !isAt(from, API_ID)) return UNCLEAR;
      id = from;
      idLength = to - from;
    } else if (is(MODEL)) {
      field = 2;
      if (!text() || from === to) return UNCLEAR;
      if (is(SYNTHETIC)) return NOTHING;
      draft.model = models.placeOf(from, to - from);
      if (draft.model === NONE) return UNCLEAR;
    } else if (is(ROLE)) {
      field = 4;
      if (!text() || !is(ASSISTANT)) return UNCLEAR;
    } else if (is(STOP_REASON)) {
      field = 8;
      if (!skip(MAX_DEPTH)) return UNCLEAR;
    } else if (is(USAGE)) {
      field = 16;
      if (!usage()) return UNCLEAR;
    } else if (is(CONTENT)) {
      field = 32;
      const kind = (seen & 16) === 0 ? passContent() : skipAny() ? COUNTED : UNCLEAR;
      if (kind !== COUNTED) return kind;
    } else if (!skip(MAX_DEPTH)) return UNCLEAR;
    if ((seen & field) !== 0) return UNCLEAR;
    seen |= field;
  } while (goesOn());
  return closes(CLOSE_OBJECT) && seen === 63 ? COUNTED : UNCLEAR;
}

/**
 * Assumed to be everything up to the last `]` before the usage. If that is wrong, brackets don't match and the walk doesn't reach the end
 * of the line, unless a field next to the message also holds a list followed by a usage. No client writes such a line.
 */
function passContent(): i32 {
  const open = at;
  const mark = findUsage();
  // the message has content but no usage: it is the user's
  if (mark === 0) return NOTHING;
  const first = max(open, mark - MAX_GAP);
  for (let closed = mark; closed > first && byteAt(open) === OPEN_ARRAY; closed--) {
    if (byteAt(closed) !== CLOSE_ARRAY) continue;
    moveTo(closed + 1);
    return COUNTED;
  }
  return skipAny() ? COUNTED : UNCLEAR;
}

/** Usually as far from the end of the line as in the previous line, give or take some digits. 0: not found. */
function findUsage(): usize {
  const guess = end - usageFromEnd;
  if (usageFromEnd > 0 && guess > at + GUESS) {
    for (let place = min(guess + GUESS, end); place >= guess - GUESS; place--)
      if (byteAt(place) === QUOTE && isAt(place, QUOTED_USAGE)) return place;
  }
  const found = findLastText(QUOTED_USAGE, at, end);
  if (found > 0) usageFromEnd = end - found;
  return found;
}

let hour: f64 = 0;
let minutes: f64 = 0;
let written: f64 = 0;

function usage(): bool {
  hour = 0;
  minutes = 0;
  written = 0;
  if (!expect(OPEN_OBJECT)) return false;
  if (isEmpty(CLOSE_OBJECT)) return true;
  do {
    if (!key() || !usageField()) return false;
  } while (goesOn());
  const split = hour + minutes;
  draft.cacheWrite1h = hour;
  draft.cacheWrite5m = (split > 0 ? split : written) - hour;
  return closes(CLOSE_OBJECT);
}

function usageField(): bool {
  if (is(INPUT)) {
    if (!count()) return false;
    draft.input = number;
  } else if (is(OUTPUT)) {
    if (!count()) return false;
    draft.output = number;
  } else if (is(CACHE_READ)) {
    if (!count()) return false;
    draft.cacheRead = number;
  } else if (is(CACHE_WRITE)) {
    if (!count()) return false;
    written = number;
  } else if (is(CACHE_CREATION)) return cacheCreation();
  else if (is(SERVER_TOOLS)) return serverTools();
  else if (is(SPEED)) return mark(IS_FAST, FAST);
  else if (is(TIER)) return mark(IS_BATCH, BATCH);
  else if (is(GEO)) return mark(IS_US_ONLY, US);
  else if (is(ITERATIONS)) return iterations();
  else return skip(MAX_DEPTH);
  return true;
}

function mark(flag: u32, value: ArrayBuffer): bool {
  const isText = byteAt(at) === QUOTE;
  if (!skip(MAX_DEPTH)) return false;
  setFlag(flag, isText && is(value));
  return true;
}

function cacheCreation(): bool {
  hour = 0;
  minutes = 0;
  if (byteAt(at) !== OPEN_OBJECT) return skip(MAX_DEPTH);
  moveTo(at + 1);
  if (isEmpty(CLOSE_OBJECT)) return true;
  do {
    if (!key()) return false;
    if (is(WRITE_5M)) {
      if (!count()) return false;
      minutes = number;
    } else if (is(WRITE_1H)) {
      if (!count()) return false;
      hour = number;
    } else if (!skip(MAX_DEPTH)) return false;
  } while (goesOn());
  return closes(CLOSE_OBJECT);
}

function serverTools(): bool {
  draft.webSearches = 0;
  if (byteAt(at) !== OPEN_OBJECT) return skip(MAX_DEPTH);
  moveTo(at + 1);
  if (isEmpty(CLOSE_OBJECT)) return true;
  do {
    if (!key()) return false;
    if (is(WEB_SEARCHES)) {
      if (!count()) return false;
      draft.webSearches = number;
    } else if (!skip(MAX_DEPTH)) return false;
  } while (goesOn());
  return closes(CLOSE_OBJECT);
}

/** Other models that helped are separate records, so that line is parsed. */
function iterations(): bool {
  const first = at;
  return skip(MAX_DEPTH) && findText(ADVISOR, first, at) === at;
}

/** `2026-11-16T01:02:03.456Z`, as the client writes it, into the draft. */
function time(): bool {
  const isUsual =
    to - from === TIME_LENGTH &&
    byteAt(from + 4) === MINUS &&
    byteAt(from + 7) === MINUS &&
    byteAt(from + 10) === 0x54 &&
    byteAt(from + 13) === COLON &&
    byteAt(from + 16) === COLON &&
    byteAt(from + 19) === DOT &&
    byteAt(from + 23) === 0x5a;
  if (!isUsual) return false;
  const year = digits(from, 4);
  const month = digits(from + 5, 2);
  const day = digits(from + 8, 2);
  const hours = digits(from + 11, 2);
  const minute = digits(from + 14, 2);
  const second = digits(from + 17, 2);
  const milli = digits(from + 20, 3);
  const isDate = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  if (!isDate || hours < 0 || hours > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || milli < 0)
    return false;
  const ms = ((hours * 60 + minute) * 60 + second) * 1000 + milli;
  draft.at = <f64>daysBefore(year, month, day) * 86_400_000 + <f64>ms;
  return true;
}

/** -1: not all of them are digits. */
function digits(first: usize, length: usize): i32 {
  let value = 0;
  for (let place = first; place < first + length; place++) {
    const digit = byteAt(place) - ZERO;
    if (digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function daysIn(year: i32, month: i32): i32 {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Since 1970. Years start in March, so the leap day is the last day. */
function daysBefore(year: i32, month: i32, day: i32): i32 {
  const y = month > 2 ? year : year - 1;
  const m = month > 2 ? month - 3 : month + 9;
  const leapDays = y / 4 - y / 100 + y / 400;
  return y * 365 + leapDays + (153 * m + 2) / 5 + day - 1 - 719_468;
}
