import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Device, Role } from '../../contract/access.ts';
import { DomainError } from '../errors.ts';
import type { Sqlite } from '../journal/sqlite.ts';

/** The device that stands for whoever can read the data dir: the CLI and scripts on this machine. */
export const LOCAL_DEVICE = 'local';

/** When a device was last seen is known to the minute. */
const TOUCH_MS = 60_000;

interface Row {
  id: string;
  name: string;
  role: Role;
  created_at: number;
  last_seen_at: number | null;
}

export type KnownDevice = Omit<Device, 'current'>;

/** Who may come in. Only hashes of tokens are kept. */
export class Devices {
  readonly #db: Sqlite;
  readonly #now: () => number;
  /** By token hash, so that a request costs no query. */
  readonly #known = new Map<string, KnownDevice>();
  readonly #cuts = new Map<string, Set<() => void>>();
  /** Seen, and not on the disk yet. */
  readonly #touched = new Set<KnownDevice>();

  constructor(db: Sqlite, now: () => number) {
    this.#db = db;
    this.#now = now;
    const sql =
      'SELECT id, name, role, created_at, last_seen_at, hex(token_hash) AS hash FROM devices WHERE revoked_at IS NULL';
    for (const row of db.prepare(sql).all() as (Row & { hash: string })[]) this.#known.set(row.hash, toDevice(row));
  }

  /** Makes the token of the data dir a device. */
  admitLocal(token: string): void {
    const hash = hashOf(token);
    if (this.#known.has(hash)) return;
    this.#db.prepare('DELETE FROM devices WHERE id = ?').run(LOCAL_DEVICE);
    this.#insert(LOCAL_DEVICE, { name: 'This machine', role: 'operator', hash });
  }

  create({ name, role }: { name: string; role: Role }): { device: KnownDevice; token: string } {
    const token = newToken();
    return { device: this.#insert(randomUUID(), { name, role, hash: hashOf(token) }), token };
  }

  #insert(id: string, { name, role, hash }: { name: string; role: Role; hash: string }): KnownDevice {
    const device = { id, name, role, createdAt: this.#now(), lastSeenAt: null };
    const sql = 'INSERT INTO devices (id, name, role, token_hash, created_at) VALUES (?, ?, ?, ?, ?)';
    this.#db.prepare(sql).run(id, name, role, Buffer.from(hash, 'hex'), device.createdAt);
    this.#known.set(hash, device);
    return device;
  }

  /** Looked up by hash: what the look-up's time tells is of no use to whoever guesses tokens. */
  find(token: string): KnownDevice | undefined {
    const device = this.#known.get(hashOf(token));
    if (device && this.#now() - (device.lastSeenAt ?? 0) > TOUCH_MS) {
      device.lastSeenAt = this.#now();
      this.#touched.add(device);
    }
    return device;
  }

  /** Apart from the requests: none of them waits for the disk, or fails with it. */
  saveSeen(): void {
    for (const device of this.#touched) {
      this.#db.prepare('UPDATE devices SET last_seen_at = ? WHERE id = ?').run(device.lastSeenAt, device.id);
      this.#touched.delete(device);
    }
  }

  list(): KnownDevice[] {
    return [...this.#known.values()];
  }

  revoke(id: string): void {
    if (id === LOCAL_DEVICE) {
      throw new DomainError(
        'device.is_local',
        400,
        'This machine cannot be revoked: its credential is the data dir itself.',
      );
    }
    const entry = [...this.#known].find(([, device]) => device.id === id);
    if (!entry) throw new DomainError('device.unknown', 404, `No device ${id}. GET /api/devices lists them.`);
    this.#db.prepare('UPDATE devices SET revoked_at = ? WHERE id = ?').run(this.#now(), id);
    this.#known.delete(entry[0]);
    for (const cut of this.#cuts.get(id) ?? []) cut();
  }

  /** A credential is asked for once per connection, so one that stays open is cut when its device is revoked. */
  whenRevoked(id: string, cut: () => void): () => void {
    const cuts = this.#cuts.get(id) ?? new Set();
    this.#cuts.set(id, cuts.add(cut));
    return () => {
      cuts.delete(cut);
      if (cuts.size === 0 && this.#cuts.get(id) === cuts) this.#cuts.delete(id);
    };
  }
}

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').toUpperCase();
}

function toDevice({ id, name, role, created_at: createdAt, last_seen_at: lastSeenAt }: Row): KnownDevice {
  return { id, name, role, createdAt, lastSeenAt };
}
