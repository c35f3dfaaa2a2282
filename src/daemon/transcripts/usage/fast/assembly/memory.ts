/** Lists in manually managed memory, without garbage collection. */

@unmanaged
export class List {
  at: usize;
  used: usize;
  size: usize;

  /** Appends room for more bytes, which count as used. */
  extend(bytes: usize): usize {
    const needed = this.used + bytes;
    if (needed > this.size) {
      this.size = max(needed, this.size * 2);
      this.at = heap.realloc(this.at, this.size);
    }
    const place = this.at + this.used;
    this.used = needed;
    return place;
  }
}

export function newList(size: usize): List {
  const list = changetype<List>(heap.alloc(offsetof<List>()));
  list.at = heap.alloc(size);
  list.used = 0;
  list.size = size;
  return list;
}

/** A hash table of numbers with linear probing. 0: a free slot. */
@unmanaged
export class Places {
  at: usize;
  count: u32;
  mask: u32;

  clear(): void {
    if (this.mask !== FIRST_PLACES - 1) {
      heap.free(this.at);
      this.mask = FIRST_PLACES - 1;
      this.at = heap.alloc(FIRST_PLACES * 4);
    } else if (this.count === 0) return;
    this.count = 0;
    memory.fill(this.at, 0, FIRST_PLACES * 4);
  }

  get(hash: u32): u32 {
    return load<u32>(this.at + ((hash & this.mask) << 2));
  }

  set(hash: u32, value: u32): void {
    store<u32>(this.at + ((hash & this.mask) << 2), value);
    this.count++;
  }

  /** Whether the table has to grow to twice its size. */
  isFull(): bool {
    return this.count * 2 > this.mask;
  }

  double(): void {
    const places = (this.mask + 1) * 2;
    heap.free(this.at);
    this.at = heap.alloc(places * 4);
    this.mask = places - 1;
    this.count = 0;
    memory.fill(this.at, 0, places * 4);
  }
}

const FIRST_PLACES: u32 = 512;

export function newPlaces(): Places {
  const places = changetype<Places>(heap.alloc(offsetof<Places>()));
  places.at = heap.alloc(FIRST_PLACES * 4);
  places.mask = FIRST_PLACES - 1;
  places.count = 0;
  memory.fill(places.at, 0, FIRST_PLACES * 4);
  return places;
}

const PRIME: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;

/** Seeded, so no one can predict which names collide. */
let seed: u64 = 0;

export function setSeed(value: u32): void {
  seed = <u64>value * PRIME;
}

function mix(hash: u64, value: u64): u64 {
  const mixed = (hash ^ value) * PRIME;
  return mixed ^ (mixed >> 29);
}

export function hashOf(place: usize, length: usize): u32 {
  let hash = seed ^ <u64>length;
  let at = place;
  for (const last = place + length; at + 8 <= last; at += 8) hash = mix(hash, load<u64>(at));
  for (const last = place + length; at < last; at++) hash = mix(hash, <u64>load<u8>(at));
  return <u32>(hash ^ (hash >> 32));
}

export function hashOfNumbers(a: u64, b: u64): u32 {
  const hash = mix(mix(seed, a), b);
  return <u32>(hash ^ (hash >> 32));
}
