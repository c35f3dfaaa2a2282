import type { Sqlite } from '../../journal/sqlite.ts';

export interface KnownPasskey {
  /** The credential's id, base64url. */
  id: string;
  deviceId: string;
  name: string;
  /** The host name it was made for. A browser doesn't offer it at any other. */
  rpId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  /** How often its authenticator says it was used. Many say 0 forever. */
  counter: number;
  transports: string[];
  isSynced: boolean;
  createdAt: number;
  lastUsedAt: number | null;
}

interface Row {
  id: string;
  device_id: string;
  name: string;
  rp_id: string;
  public_key: Uint8Array;
  counter: number;
  transports: string;
  is_synced: number;
  created_at: number;
  last_used_at: number | null;
}

export class PasskeyRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  all(): KnownPasskey[] {
    return (this.#db.prepare('SELECT * FROM passkeys ORDER BY created_at').all() as Row[]).map(toPasskey);
  }

  get(id: string): KnownPasskey | undefined {
    const row = this.#db.prepare('SELECT * FROM passkeys WHERE id = ?').get(id) as Row | undefined;
    return row && toPasskey(row);
  }

  of(deviceId: string, rpId: string): KnownPasskey[] {
    return this.all().filter((one) => one.deviceId === deviceId && one.rpId === rpId);
  }

  insert(one: KnownPasskey): void {
    const sql = `INSERT INTO passkeys
      (id, device_id, name, rp_id, public_key, counter, transports, is_synced, created_at, last_used_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    this.#db
      .prepare(sql)
      .run(
        one.id,
        one.deviceId,
        one.name,
        one.rpId,
        Buffer.from(one.publicKey),
        one.counter,
        JSON.stringify(one.transports),
        Number(one.isSynced),
        one.createdAt,
        one.lastUsedAt,
      );
  }

  rename(id: string, name: string): void {
    this.#db.prepare('UPDATE passkeys SET name = ? WHERE id = ?').run(name, id);
  }

  noteUse(id: string, { counter, at }: { counter: number; at: number }): void {
    this.#db.prepare('UPDATE passkeys SET counter = ?, last_used_at = ? WHERE id = ?').run(counter, at, id);
  }

  delete(id: string): void {
    this.#db.prepare('DELETE FROM passkeys WHERE id = ?').run(id);
  }

  deleteOf(deviceId: string): void {
    this.#db.prepare('DELETE FROM passkeys WHERE device_id = ?').run(deviceId);
  }
}

const toPasskey = (row: Row): KnownPasskey => ({
  id: row.id,
  deviceId: row.device_id,
  name: row.name,
  rpId: row.rp_id,
  publicKey: new Uint8Array(row.public_key),
  counter: row.counter,
  transports: JSON.parse(row.transports) as string[],
  isSynced: row.is_synced === 1,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});
