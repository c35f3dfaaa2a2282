import { hashOf, hashOfNumbers, List, newList, newPlaces } from './memory';

/** What one message of the file used. JavaScript reads some fields by position: `usage-scanner.ts`. */
@unmanaged
export class Message {
  at: f64;
  input: f64;
  output: f64;
  cacheRead: f64;
  cacheWrite5m: f64;
  cacheWrite1h: f64;
  webSearches: f64;
  flags: u32;
  model: u32;
  /** NONE: it has no branch. */
  branch: u32;
  /** Where the key starts in the list of keys. */
  key: u32;
  keyLength: u32;
  pad: u32;
}

/** What messages with the same price used in five minutes. JavaScript reads the fields by position: `usage-scanner.ts`. */
@unmanaged
class Slot {
  at: f64;
  input: f64;
  output: f64;
  cacheRead: f64;
  cacheWrite5m: f64;
  cacheWrite1h: f64;
  webSearches: f64;
  messages: f64;
  model: u32;
  branch: u32;
  flags: u32;
  pad: u32;
}

/** As `packUsage` marks them. */
export const IS_FAST: u32 = 1;
export const IS_BATCH: u32 = 2;
export const IS_US_ONLY: u32 = 4;
export const IS_SIDECHAIN: u32 = 8;
/** Set in slots only: more input than this. Models that charge extra for long requests start at one of these sizes. */
const ABOVE_100K: u32 = 16;
const ABOVE_200K: u32 = 32;
const SLOT_MS: f64 = 300_000;

export const NONE: u32 = u32.MAX_VALUE;
const NEWLINE = 0x0a;
/** The longest row besides its key: brackets, and eleven numbers of at most 17 digits. */
const ROW: usize = 256;
/** Files with more names than these are left to JavaScript. */
const MAX_NAMES: u32 = 64;

const messages = newList(64 * offsetof<Message>());
const keys = newList(4096);
const byKey = newPlaces();
const slots = newList(64 * offsetof<Slot>());
const bySlot = newPlaces();
const rows = newList(16 * 1024);
let firstAt: f64 = NaN;
let lastAt: f64 = NaN;

/** Models or branches, in order of appearance. */
@unmanaged
export class Names {
  /** Each ends with a newline. */
  text: List;
  count: u32;
  last: u32;
  ends: usize;

  /** NONE: there are too many. */
  placeOf(name: usize, length: usize): u32 {
    if (this.count > 0 && this.isAt(this.last, name, length)) return this.last;
    for (let place: u32 = 0; place < this.count; place++) {
      if (!this.isAt(place, name, length)) continue;
      this.last = place;
      return place;
    }
    if (this.count === MAX_NAMES) return NONE;
    const copy = this.text.extend(length + 1);
    memory.copy(copy, name, length);
    store<u8>(copy + length, NEWLINE);
    this.last = this.count;
    store<u32>(this.ends + (this.count++ << 2), <u32>this.text.used - 1);
    return this.last;
  }

  clear(): void {
    this.text.used = 0;
    this.count = 0;
  }

  private isAt(place: u32, name: usize, length: usize): bool {
    const from: usize = place === 0 ? 0 : load<u32>(this.ends + ((place - 1) << 2)) + 1;
    const to: usize = load<u32>(this.ends + (place << 2));
    return to - from === length && memory.compare(this.text.at + from, name, length) === 0;
  }
}

function newNames(): Names {
  const names = changetype<Names>(heap.alloc(offsetof<Names>()));
  names.text = newList(1024);
  names.ends = heap.alloc(MAX_NAMES * 4);
  names.count = 0;
  names.last = 0;
  return names;
}

export const models = newNames();
export const branches = newNames();

export function clear(): void {
  messages.used = 0;
  keys.used = 0;
  slots.used = 0;
  rows.used = 0;
  byKey.clear();
  bySlot.clear();
  models.clear();
  branches.clear();
  firstAt = NaN;
  lastAt = NaN;
}

/** A message spans several lines, and the best one counts, as in `addSighting`. */
export function add(draft: Message, key: usize, length: usize): void {
  if (byKey.isFull()) placeAgain();
  let hash = hashOf(key, length);
  for (let found = byKey.get(hash); found !== 0; found = byKey.get(++hash)) {
    const known = messageAt(found - 1);
    if (known.keyLength !== <u32>length || memory.compare(keys.at + known.key, key, length) !== 0) continue;
    if (!isBetter(draft, known)) return;
    draft.key = known.key;
    draft.keyLength = known.keyLength;
    memory.copy(changetype<usize>(known), changetype<usize>(draft), offsetof<Message>());
    return;
  }
  draft.key = <u32>keys.used;
  draft.keyLength = <u32>length;
  const copy = keys.extend(length + 1);
  memory.copy(copy, key, length);
  store<u8>(copy + length, NEWLINE);
  memory.copy(messages.extend(offsetof<Message>()), changetype<usize>(draft), offsetof<Message>());
  byKey.set(hash, count());
}

function count(): u32 {
  return <u32>(messages.used / offsetof<Message>());
}

function messageAt(place: u32): Message {
  return changetype<Message>(messages.at + place * offsetof<Message>());
}

function placeAgain(): void {
  byKey.double();
  for (let place: u32 = 0; place < count(); place++) {
    const message = messageAt(place);
    let hash = hashOf(keys.at + message.key, message.keyLength);
    while (byKey.get(hash) !== 0) hash++;
    byKey.set(hash, place + 1);
  }
}

/** The same comparison as `isBetterSighting` in usage.ts. */
function isBetter(one: Message, other: Message): bool {
  const difference = totalOf(one) - totalOf(other);
  if (difference !== 0) return difference > 0;
  const isSidechain = one.flags & IS_SIDECHAIN;
  if (isSidechain !== (other.flags & IS_SIDECHAIN)) return isSidechain === 0;
  return one.at < other.at;
}

function totalOf(one: Message): f64 {
  return one.input + one.output + one.cacheRead + one.cacheWrite5m + one.cacheWrite1h;
}

/** Sums up what was added, and writes it like `packUsage`. */
export function finish(): void {
  for (let place: u32 = 0; place < count(); place++) {
    const message = messageAt(place);
    if (!(message.at >= firstAt)) firstAt = message.at;
    if (!(message.at <= lastAt)) lastAt = message.at;
    addToSlot(message);
    writeRow(message, place > 0);
  }
}

function addToSlot(message: Message): void {
  const at = Math.floor(message.at / SLOT_MS) * SLOT_MS;
  const input = message.input + message.cacheRead + message.cacheWrite5m + message.cacheWrite1h;
  const length = input > 200_000 ? ABOVE_200K : input > 100_000 ? ABOVE_100K : 0;
  const flags = (message.flags & (IS_FAST | IS_BATCH | IS_US_ONLY)) | length;
  const slot = slotOf(at, message.model, message.branch, flags);
  slot.input += message.input;
  slot.output += message.output;
  slot.cacheRead += message.cacheRead;
  slot.cacheWrite5m += message.cacheWrite5m;
  slot.cacheWrite1h += message.cacheWrite1h;
  slot.webSearches += message.webSearches;
  slot.messages += 1;
}

function isSlot(slot: Slot, at: f64, model: u32, branch: u32, flags: u32): bool {
  return slot.at === at && slot.model === model && slot.branch === branch && slot.flags === flags;
}

function slotOf(at: f64, model: u32, branch: u32, flags: u32): Slot {
  const size = offsetof<Slot>();
  if (slots.used > 0) {
    const last = changetype<Slot>(slots.at + slots.used - size);
    if (isSlot(last, at, model, branch, flags)) return last;
  }
  if (bySlot.isFull()) placeSlotsAgain();
  let hash = hashOfSlot(at, model, branch, flags);
  for (let found = bySlot.get(hash); found !== 0; found = bySlot.get(++hash)) {
    const slot = changetype<Slot>(slots.at + <usize>(found - 1) * size);
    if (isSlot(slot, at, model, branch, flags)) return slot;
  }
  const slot = changetype<Slot>(slots.extend(size));
  memory.fill(changetype<usize>(slot), 0, size);
  slot.at = at;
  slot.model = model;
  slot.branch = branch;
  slot.flags = flags;
  bySlot.set(hash, <u32>(slots.used / size));
  return slot;
}

function hashOfSlot(at: f64, model: u32, branch: u32, flags: u32): u32 {
  return hashOfNumbers(<u64>at, ((<u64>model) << 40) | ((<u64>(branch & 0xffff)) << 16) | flags);
}

function placeSlotsAgain(): void {
  bySlot.double();
  const size = offsetof<Slot>();
  for (let place: usize = 0; place < slots.used; place += size) {
    const slot = changetype<Slot>(slots.at + place);
    let hash = hashOfSlot(slot.at, slot.model, slot.branch, slot.flags);
    while (bySlot.get(hash) !== 0) hash++;
    bySlot.set(hash, <u32>(place / size) + 1);
  }
}

/** `["key",at,model,branch,marks,input,output,cacheRead,cacheWrite5m,cacheWrite1h,webSearches]` */
function writeRow(message: Message, isNext: bool): void {
  const keyLength = <usize>message.keyLength;
  const start = rows.extend(keyLength + ROW);
  let place = start;
  if (isNext) store<u8>(place++, 0x2c);
  store<u8>(place++, 0x5b);
  store<u8>(place++, 0x22);
  memory.copy(place, keys.at + message.key, keyLength);
  place += keyLength;
  store<u8>(place++, 0x22);
  place = writeNumber(place, message.at);
  place = writeNumber(place, message.model);
  place = message.branch === NONE ? writeNone(place) : writeNumber(place, message.branch);
  place = writeNumber(place, message.flags);
  place = writeNumber(place, message.input);
  place = writeNumber(place, message.output);
  place = writeNumber(place, message.cacheRead);
  place = writeNumber(place, message.cacheWrite5m);
  place = writeNumber(place, message.cacheWrite1h);
  place = writeNumber(place, message.webSearches);
  store<u8>(place++, 0x5d);
  rows.used -= start + keyLength + ROW - place;
}

/** `,-1` */
function writeNone(place: usize): usize {
  store<u8>(place, 0x2c);
  store<u8>(place + 1, 0x2d);
  store<u8>(place + 2, 0x31);
  return place + 3;
}

/** A comma, then a whole number. */
function writeNumber(place: usize, value: f64): usize {
  store<u8>(place, 0x2c);
  if (value < MILLION) return writeDigits(place + 1, <u32>value, 0);
  // 32-bit division is several times as fast as 64-bit
  const millions = Math.floor(value / MILLION);
  const rest = <u32>(value - millions * MILLION);
  if (millions < MILLION) return writeDigits(writeDigits(place + 1, <u32>millions, 0), rest, 6);
  const billions = Math.floor(millions / MILLION);
  const end = writeDigits(place + 1, <u32>billions, 0);
  return writeDigits(writeDigits(end, <u32>(millions - billions * MILLION), 6), rest, 6);
}

const MILLION: f64 = 1_000_000;

/** Padded to at least this many digits. */
function writeDigits(place: usize, value: u32, least: usize): usize {
  let digits = max<usize>(least, 1);
  for (let power: u32 = 10; least === 0 && power <= value; power *= 10) digits++;
  let rest = value;
  for (let at = place + digits - 1; at >= place; at--) {
    const tenth = rest / 10;
    store<u8>(at, <u8>(0x30 + rest - tenth * 10));
    rest = tenth;
  }
  return place + digits;
}

/** For JavaScript: where lists start, and how long they are. */
export function resultAt(): usize {
  store<u32>(result, <u32>count());
  store<u32>(result + 4, <u32>keys.at);
  store<u32>(result + 8, <u32>keys.used);
  store<u32>(result + 12, <u32>rows.at);
  store<u32>(result + 16, <u32>rows.used);
  store<u32>(result + 20, <u32>slots.at);
  store<u32>(result + 24, <u32>(slots.used / offsetof<Slot>()));
  store<u32>(result + 28, <u32>models.text.at);
  store<u32>(result + 32, <u32>models.text.used);
  store<u32>(result + 36, <u32>branches.text.at);
  store<u32>(result + 40, <u32>branches.text.used);
  store<u32>(result + 44, <u32>messages.at);
  store<f64>(result + 48, firstAt);
  store<f64>(result + 56, lastAt);
  return result;
}

const result = memory.data(64, 8);
