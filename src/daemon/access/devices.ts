import { createHash, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import type { Device, DeviceKind, Role } from '../../contract/access.ts';
import { DomainError } from '../errors.ts';
import type { Sqlite } from '../journal/sqlite.ts';
import { readPublicKey } from './public-key.ts';

/** The device for anyone who can read the data dir: the CLI and scripts on this machine. */
export const LOCAL_DEVICE = 'local';

/** Last-seen times have a resolution of one minute. */
const TOUCH_MS = 60_000;
/** A device that goes unused for this long is signed out: no one would notice if a phone in a drawer were gone. */
const IDLE_MS = 90 * 86_400_000;

interface Row {
  id: string;
  name: string;
  role: Role;
  created_at: number;
  last_seen_at: number | null;
  hash: string;
  public_key: Uint8Array | null;
  port: number | null;
  projects: string;
  is_remote: number;
}

export type KnownDevice = Omit<Device, 'current'>;

interface Entry {
  device: KnownDevice;
  /** Hash of its token, or of a random value for a browser. */
  hash: string;
  key: BrowserKey | undefined;
}

export interface BrowserKey {
  publicKey: KeyObject;
  /** As it was sent, to recognize the same browser later. */
  spki: string;
  /** The port it signed in on. The key is in that origin's storage, so a program that takes over the port can use it. */
  port: number;
}

export interface Invited {
  name: string;
  role: Role;
  /** Empty: all. */
  projects?: readonly string[] | undefined;
  /** It signs in from another machine. */
  isRemote?: boolean | undefined;
}

/** Who may sign in. Only token hashes and public keys are stored. */
export class Devices {
  readonly #db: Sqlite;
  readonly #now: () => number;
  /** By token hash, so a request needs no query. */
  readonly #byHash = new Map<string, Entry>();
  readonly #byId = new Map<string, Entry>();
  readonly #cuts = new Map<string, Set<() => void>>();
  readonly #onRevoked: ((device: KnownDevice) => void)[] = [];
  /** Seen, but not written to disk yet. */
  readonly #touched = new Set<KnownDevice>();

  constructor(db: Sqlite, now: () => number) {
    this.#db = db;
    this.#now = now;
    const sql = `SELECT id, name, role, created_at, last_seen_at, hex(token_hash) AS hash, public_key, port, projects, is_remote
                 FROM devices WHERE revoked_at IS NULL`;
    for (const row of db.prepare(sql).all() as Row[]) this.#add(toEntry(row));
  }

  /** Registers the data dir's token as a device. */
  admitLocal(token: string): void {
    const hash = hashOf(token);
    if (this.#byHash.has(hash)) return;
    this.#db.prepare('DELETE FROM devices WHERE id = ?').run(LOCAL_DEVICE);
    this.#insert({ id: LOCAL_DEVICE, name: 'This machine', role: 'admin', hash });
  }

  /** A script, which sends its token. */
  create({ name, role, projects, isRemote }: Invited): { device: KnownDevice; token: string } {
    const token = newToken();
    return { device: this.#insert({ id: randomUUID(), name, role, projects, isRemote, hash: hashOf(token) }), token };
  }

  /** A browser, which signs with its key. One that signs in again stays one device. */
  createBrowser(invited: Invited & { spki: string; port: number }): KnownDevice {
    const { name, role, projects = [], isRemote = false, spki, port } = invited;
    const key: BrowserKey = { publicKey: readPublicKey(spki), spki, port };
    const known = [...this.#byId.values()].find((entry) => entry.key?.spki === spki);
    if (!known)
      return this.#insert({ id: randomUUID(), name, role, projects, isRemote, hash: hashOf(newToken()), key });
    this.#db
      .prepare('UPDATE devices SET name = ?, role = ?, port = ?, projects = ?, is_remote = ? WHERE id = ?')
      .run(name, role, port, JSON.stringify(projects), Number(isRemote), known.device.id);
    // Its open connections were authorized with its old role.
    this.#cut(known.device.id);
    const device = { ...known.device, name, role, projects: [...projects], remote: isRemote };
    this.#add({ ...known, device, key });
    return device;
  }

  #insert({
    id,
    name,
    role,
    projects = [],
    isRemote = false,
    hash,
    key,
  }: Invited & Pick<KnownDevice, 'id'> & Pick<Entry, 'hash'> & { key?: BrowserKey }) {
    const device: KnownDevice = {
      id,
      name,
      role,
      kind: kindOf(id, key),
      projects: [...projects],
      remote: isRemote,
      createdAt: this.#now(),
      lastSeenAt: null,
      expiresAt: null,
    };
    const sql = `INSERT INTO devices (id, name, role, token_hash, created_at, public_key, port, projects, is_remote)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    const spki = key ? Buffer.from(key.spki, 'base64url') : null;
    this.#db
      .prepare(sql)
      .run(
        id,
        name,
        role,
        Buffer.from(hash, 'hex'),
        device.createdAt,
        spki,
        key?.port ?? null,
        JSON.stringify(projects),
        Number(isRemote),
      );
    this.#add({ device, hash, key });
    return device;
  }

  #add(entry: Entry): void {
    entry.device.expiresAt = expiryOf(entry.device);
    this.#byHash.set(entry.hash, entry);
    this.#byId.set(entry.device.id, entry);
  }

  /** Looked up by hash, so lookup time reveals nothing useful to someone guessing tokens. */
  find(token: string): KnownDevice | undefined {
    return this.seen(this.#byHash.get(hashOf(token))?.device);
  }

  /** The key a browser signed in with. */
  keyOf(id: string): BrowserKey | undefined {
    return this.#byId.get(id)?.key;
  }

  get(id: string): KnownDevice | undefined {
    return this.#byId.get(id)?.device;
  }

  seen(device: KnownDevice | undefined): KnownDevice | undefined {
    if (!device || this.#isIdle(device)) return undefined;
    if (this.#now() - (device.lastSeenAt ?? 0) > TOUCH_MS) {
      device.lastSeenAt = this.#now();
      device.expiresAt = expiryOf(device);
      this.#touched.add(device);
    }
    return device;
  }

  /** Checked for each request too, since the daemon may have been off when it expired. */
  #isIdle({ expiresAt }: KnownDevice): boolean {
    return expiresAt !== null && expiresAt < this.#now();
  }

  /** Revokes devices that haven't been used for a long time, and returns them. */
  revokeIdle(): KnownDevice[] {
    return this.list()
      .filter((device) => this.#isIdle(device))
      .map(({ id }) => this.revoke(id));
  }

  /** Separate from requests, so none of them waits for the disk or fails with it. */
  saveSeen(): void {
    for (const device of this.#touched) {
      this.#db.prepare('UPDATE devices SET last_seen_at = ? WHERE id = ?').run(device.lastSeenAt, device.id);
      this.#touched.delete(device);
    }
  }

  list(): KnownDevice[] {
    return [...this.#byId.values()].map(({ device }) => device);
  }

  /** Whether any device besides this machine can act. */
  hasOperator(): boolean {
    return this.list().some(({ kind, role }) => kind !== 'local' && role !== 'viewer');
  }

  revoke(id: string): KnownDevice {
    if (id === LOCAL_DEVICE) {
      throw new DomainError(
        'device.is_local',
        400,
        "This machine can't be revoked: its credential is the data dir itself.",
      );
    }
    const entry = this.#byId.get(id);
    if (!entry) throw new DomainError('device.unknown', 404, `No device ${id}. GET /api/devices lists them.`);
    this.#db.prepare('UPDATE devices SET revoked_at = ? WHERE id = ?').run(this.#now(), id);
    this.#byHash.delete(entry.hash);
    this.#byId.delete(id);
    this.#cut(id);
    for (const tell of this.#onRevoked) tell(entry.device);
    return entry.device;
  }

  /** Calls `tell` for each device that is revoked from now on. */
  onRevoked(tell: (device: KnownDevice) => void): void {
    this.#onRevoked.push(tell);
  }

  #cut(id: string): void {
    for (const cut of this.#cuts.get(id) ?? []) cut();
  }

  /** Credentials are checked once per connection, so open ones are closed when the device is revoked. */
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

function kindOf(id: string, key: BrowserKey | undefined): DeviceKind {
  if (key) return 'browser';
  return id === LOCAL_DEVICE ? 'local' : 'bearer';
}

function toEntry({
  id,
  name,
  role,
  created_at: createdAt,
  last_seen_at: lastSeenAt,
  hash,
  public_key,
  port,
  projects,
  is_remote: isRemote,
}: Row): Entry {
  const spki = public_key ? Buffer.from(public_key).toString('base64url') : undefined;
  const key = spki === undefined || port === null ? undefined : { publicKey: readPublicKey(spki), spki, port };
  const device: KnownDevice = {
    id,
    name,
    role,
    kind: kindOf(id, key),
    projects: JSON.parse(projects) as string[],
    remote: isRemote === 1,
    createdAt,
    lastSeenAt,
    expiresAt: null,
  };
  return { device, hash, key };
}

/** This machine's credential is a file next to the journal, so it is as old as what it opens. */
function expiryOf({ id, createdAt, lastSeenAt }: KnownDevice): number | null {
  return id === LOCAL_DEVICE ? null : (lastSeenAt ?? createdAt) + IDLE_MS;
}
