/**
 * 64 bits that tell whether bytes are still the same. Not for secrets: to load OpenSSL for a real digest would take each thread ten
 * times as long as all fingerprints of a first start.
 */
export function fingerprint(bytes: Uint8Array): string {
  let a = 0x811c9dc5;
  let b = 0x01000193 ^ bytes.length;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x85ebca6b);
    b ^= b >>> 13;
  }
  a = Math.imul(a ^ (a >>> 16), 0xc2b2ae35) ^ b;
  return `${hex(a)}${hex(b)}`;
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
