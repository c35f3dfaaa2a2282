import { isIP } from 'node:net';
import type { AuthenticatorTransportFuture, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { z } from 'zod';
import type { EventsOf } from '../../../contract/events.ts';
import { PASSKEY_ACTION_NAMES, PASSKEY_NEEDED, type PasskeyAction } from '../../../contract/passkey-actions.ts';
import {
  type Passkey,
  PasskeyAssertion,
  type PasskeyList,
  type PasskeyRegistration,
  type PasskeySettings,
} from '../../../contract/passkeys.ts';
import type { Core } from '../../core.ts';
import type { Setting } from '../../data-dir.ts';
import { DomainError } from '../../errors.ts';
import type { Sqlite } from '../../journal/sqlite.ts';
import { Codes } from '../codes.ts';
import type { Devices, KnownDevice } from '../devices.ts';
import { PasskeyChallenges, type Purpose } from './passkey-challenges.ts';
import { type KnownPasskey, PasskeyRows } from './passkey-rows.ts';

/** Authenticators show it beside the host name. */
const RP_NAME = 'Ground Control';
const MOST_PER_DEVICE = 10;
/** The purpose of a challenge that is for adding one. */
const ADDING = 'add a passkey';

export interface PasskeysOptions {
  db: Sqlite;
  devices: Devices;
  settings: Setting<PasskeySettings>;
  record: Core['record'];
  /** Records an answer that was not accepted. */
  noteRefused: (device: KnownDevice, request: string, why: string) => void;
  now: () => number;
}

/** Where a device talks to us: what it says in its address bar, and whether that is another machine. */
export interface Place {
  /** `https://mac.tail1234.ts.net` */
  origin: string;
  isElsewhere: boolean;
}

/** A request that may need a passkey. */
export interface Confirmable extends Place {
  device: KnownDevice;
  action: PasskeyAction | 'passkeys';
  request: string;
  body: unknown;
  /** The passkey's answer, as it was sent. */
  assertion: string | undefined;
}

/** Passkeys as the second factor for dangerous actions. The first is the device's own key. */
export class Passkeys {
  readonly #options: PasskeysOptions;
  readonly #rows: PasskeyRows;
  readonly #challenges: PasskeyChallenges;
  readonly #codes: Codes;
  /** Until when a device's last confirmation counts. */
  readonly #confirmedUntil = new Map<string, number>();

  constructor(options: PasskeysOptions) {
    this.#options = options;
    this.#rows = new PasskeyRows(options.db);
    this.#challenges = new PasskeyChallenges(options.now);
    this.#codes = new Codes(options.now);
    options.devices.onRevoked(({ id }) => {
      this.#rows.deleteOf(id);
      this.#confirmedUntil.delete(id);
    });
  }

  settings(): PasskeySettings {
    return this.#options.settings.get();
  }

  async saveSettings(settings: PasskeySettings, device: KnownDevice, place: Place): Promise<PasskeySettings> {
    if (settings.required && this.#isSubject(device, place, settings) && this.#ownFor(device, place).length === 0)
      throw new DomainError(
        'passkey.none',
        409,
        `${device.name} would lock itself out: it has no passkey. Add one first, or turn this on at the machine: gctl passkeys on`,
      );
    this.#options.settings.set(settings);
    this.#confirmedUntil.clear();
    await this.#note('access.passkey_settings', device, describeSettings(settings));
    return settings;
  }

  list(device: KnownDevice, place: Place): PasskeyList {
    const all = this.#rows.all();
    const shown = device.role === 'admin' ? all : all.filter(({ deviceId }) => deviceId === device.id);
    return {
      settings: this.settings(),
      passkeys: shown.map((one) => this.#toPasskey(one, device)),
      here: rpIdOf(place) === undefined ? 'needs_name' : this.#needsCode(device, place) ? 'needs_code' : 'ready',
    };
  }

  /** For a device elsewhere, whose owner reads it at the machine: someone holding an unlocked phone can't add one. */
  async createCode(device: KnownDevice, place: Place): Promise<{ code: string; expiresAt: number }> {
    if (this.#needsCode(device, place))
      throw new DomainError(
        'passkey.at_the_machine',
        403,
        'Codes for passkeys are given at the machine itself. Run there: gctl passkeys code',
      );
    const { short = '', expiresAt } = this.#codes.create({ role: 'viewer', short: true });
    await this.#note('access.passkey_code', device, 'Code for adding one passkey');
    return { code: short, expiresAt };
  }

  /** What the browser asks its authenticator for. */
  async startAdding(device: KnownDevice, place: Place, code: string | undefined) {
    const rpId = needName(place);
    if (device.kind !== 'browser')
      throw new DomainError('passkey.not_a_browser', 400, 'Only a signed-in browser can add a passkey.');
    if (this.#needsCode(device, place)) this.#redeem(code);
    const known = this.#rows.all().filter(({ deviceId }) => deviceId === device.id);
    if (known.length >= MOST_PER_DEVICE)
      throw new DomainError(
        'passkey.too_many',
        409,
        `${device.name} already has ${MOST_PER_DEVICE} passkeys. Revoke one first.`,
      );
    const { generateRegistrationOptions } = await load();
    const challenge = this.#challenges.issue(this.#adding(device, rpId));
    const options = await generateRegistrationOptions({
      rpName: RP_NAME,
      rpID: rpId,
      userName: device.name,
      userID: new Uint8Array(Buffer.from(device.id)),
      challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
      attestationType: 'none',
      excludeCredentials: known.filter((one) => one.rpId === rpId).map(toDescriptor),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    });
    return { options: { ...options } };
  }

  async add(
    device: KnownDevice,
    place: Place,
    { name, response }: z.infer<typeof PasskeyRegistration>,
  ): Promise<Passkey> {
    const rpId = needName(place);
    const { verifyRegistrationResponse } = await load();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: this.#expected(this.#adding(device, rpId)),
      expectedOrigin: place.origin,
      expectedRPID: rpId,
      requireUserVerification: true,
    }).catch(notAccepted);
    if (!verified) throw notAccepted(new Error('it could not be verified'));
    const { credential, credentialBackedUp } = registrationInfo;
    if (this.#rows.get(credential.id)) throw new DomainError('passkey.known', 409, 'This passkey was already added.');
    const passkey: KnownPasskey = {
      id: credential.id,
      deviceId: device.id,
      name,
      rpId,
      publicKey: credential.publicKey,
      counter: credential.counter,
      transports: [...(credential.transports ?? [])],
      isSynced: credentialBackedUp,
      createdAt: this.#options.now(),
      lastUsedAt: null,
    };
    this.#rows.insert(passkey);
    await this.#note('access.passkey_added', device, `“${name}” for ${rpId}`);
    return this.#toPasskey(passkey, device);
  }

  async rename(id: string, name: string, device: KnownDevice): Promise<Passkey> {
    const known = this.#managed(id, device);
    this.#rows.rename(id, name);
    await this.#note('access.passkey_renamed', device, `“${known.name}” is now “${name}”`);
    return this.#toPasskey({ ...known, name }, device);
  }

  async revoke(id: string, device: KnownDevice): Promise<void> {
    const { name, deviceId } = this.#managed(id, device);
    this.#rows.delete(id);
    this.#confirmedUntil.delete(deviceId);
    await this.#note('access.passkey_revoked', device, `“${name}” of ${this.#nameOf(deviceId)}`);
  }

  /** Whether a request of this kind may go ahead. Throws with a challenge if it needs a passkey and shows none. */
  async confirm(asked: Confirmable): Promise<void> {
    const { device, action, assertion } = asked;
    const { windowSeconds } = this.settings();
    if (!this.isNeeded(asked)) return;
    if (assertion === undefined && action !== 'passkeys' && (this.#confirmedUntil.get(device.id) ?? 0) > this.#now())
      return;
    const rpId = device.kind === 'browser' ? needName(asked) : undefined;
    const own = this.#ownFor(device, asked);
    if (rpId === undefined || own.length === 0) throw nonePossible(device);
    const purpose = { deviceId: device.id, rpId, request: asked.request, body: asked.body };
    if (assertion === undefined) throw await this.#challenge(asked, { purpose, own });
    const used = await this.#verify(assertion, { place: asked, purpose, own }).catch((error: unknown) => {
      if (error instanceof DomainError) this.#options.noteRefused(device, asked.request, error.message);
      throw error;
    });
    if (windowSeconds > 0) this.#confirmedUntil.set(device.id, this.#now() + windowSeconds * 1000);
    await this.#note('access.passkey_used', device, `“${used.name}” confirmed ${asked.request}`);
  }

  /** Whether such a request needs a passkey at all. */
  isNeeded({ device, action, isElsewhere }: Pick<Confirmable, 'device' | 'action' | 'isElsewhere'>): boolean {
    const settings = this.settings();
    if (!settings.required || !this.#isSubject(device, { isElsewhere }, settings)) return false;
    return action === 'passkeys' || settings.actions.includes(action);
  }

  /** Terminals of this machine are the way back in if a passkey is lost. */
  #isSubject(device: KnownDevice, { isElsewhere }: Pick<Place, 'isElsewhere'>, { where }: PasskeySettings): boolean {
    if (device.kind === 'local') return false;
    return where === 'everywhere' || isElsewhere || device.remote;
  }

  async #challenge(
    { action }: Confirmable,
    { purpose, own }: { purpose: Purpose; own: KnownPasskey[] },
  ): Promise<DomainError> {
    const { generateAuthenticationOptions } = await load();
    const options = await generateAuthenticationOptions({
      rpID: purpose.rpId,
      challenge: new Uint8Array(Buffer.from(this.#challenges.issue(purpose), 'base64url')),
      allowCredentials: own.map(toDescriptor),
      userVerification: 'required',
    });
    return new DomainError(PASSKEY_NEEDED, 403, 'Confirm this with your passkey.', { passkey: { action, options } });
  }

  async #verify(
    assertion: string,
    { place, purpose, own }: { place: Place; purpose: Purpose; own: KnownPasskey[] },
  ): Promise<KnownPasskey> {
    const response = readAssertion(assertion);
    const passkey = own.find(({ id }) => id === response.id);
    const { verifyAuthenticationResponse } = await load();
    if (!passkey) throw notAccepted(new Error('it is not one of this device'));
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: this.#expected(purpose),
      expectedOrigin: place.origin,
      expectedRPID: purpose.rpId,
      credential: { id: passkey.id, publicKey: passkey.publicKey, counter: passkey.counter },
      requireUserVerification: true,
    }).catch(notAccepted);
    if (!verified) throw notAccepted(new Error('its signature is wrong'));
    this.#rows.noteUse(passkey.id, { counter: authenticationInfo.newCounter, at: this.#now() });
    return passkey;
  }

  #redeem(code: string | undefined): void {
    if (code === undefined)
      throw new DomainError(
        'passkey.needs_code',
        403,
        'Enter a code from the machine itself. Run there: gctl passkeys code',
      );
    try {
      this.#codes.redeem(code);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      throw new DomainError(
        'passkey.bad_code',
        403,
        'This code is wrong, used or expired. Run on the machine for a new one: gctl passkeys code',
      );
    }
  }

  #needsCode(device: KnownDevice, { isElsewhere }: Place): boolean {
    return device.kind !== 'local' && (isElsewhere || device.remote);
  }

  #ownFor(device: KnownDevice, place: Place): KnownPasskey[] {
    return this.#rows.of(device.id, rpIdOf(place) ?? '');
  }

  #expected(purpose: Purpose) {
    return (challenge: string): boolean => {
      if (this.#challenges.use(challenge, purpose)) return true;
      throw new Error('it was for something else, was used before, or took more than two minutes. Try again.');
    };
  }

  #adding({ id }: KnownDevice, rpId: string): Purpose {
    return { deviceId: id, rpId, request: ADDING, body: null };
  }

  /** Others than admins manage their own. */
  #managed(id: string, device: KnownDevice): KnownPasskey {
    const known = this.#rows.get(id);
    if (known && (device.role === 'admin' || known.deviceId === device.id)) return known;
    throw new DomainError('passkey.unknown', 404, `No passkey ${id.slice(0, 100)}. GET /api/passkeys lists them.`);
  }

  #toPasskey({ publicKey: _, counter: __, transports: ___, isSynced, ...one }: KnownPasskey, device: KnownDevice) {
    return {
      ...one,
      deviceName: this.#nameOf(one.deviceId),
      synced: isSynced,
      own: one.deviceId === device.id,
    };
  }

  #nameOf(deviceId: string): string {
    return this.#options.devices.get(deviceId)?.name ?? deviceId;
  }

  #now(): number {
    return this.#options.now();
  }

  async #note(name: EventsOf<'access'>, device: KnownDevice, detail: string): Promise<void> {
    const payload = { by: `${device.name} (${device.id.slice(0, 8)})`, detail };
    await this.#options.record({ sessionId: '', source: 'operator', name, payload });
  }
}

/** Only those who use passkeys pay for loading it. */
const load = () => import('@simplewebauthn/server');

/** A passkey belongs to a host name. Browsers allow no address there, except the name `localhost`. */
function rpIdOf({ origin }: Place): string | undefined {
  const { hostname } = new URL(origin);
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? undefined : hostname;
}

function needName(place: Place): string {
  const rpId = rpIdOf(place);
  if (rpId !== undefined) return rpId;
  const { port, protocol } = new URL(place.origin);
  throw new DomainError(
    'passkey.needs_name',
    409,
    protocol === 'http:'
      ? `Browsers allow passkeys at host names only, not at an IP address. Open http://localhost:${port} on this machine instead.`
      : 'Browsers allow passkeys at host names only, not at an IP address. Give this machine a name: gctl remote tailscale, or gctl remote lan --name studio.example.com',
  );
}

const nonePossible = ({ kind, name }: KnownDevice): DomainError =>
  kind === 'browser'
    ? new DomainError(
        'passkey.none',
        403,
        `This needs a passkey, and ${name} has none at this address. Add one in Settings, with a code from the machine: gctl passkeys code`,
      )
    : new DomainError(
        'passkey.not_for_tokens',
        403,
        `This needs a passkey, which a token can't give. Use gctl at a terminal of the machine, or change what needs one: gctl passkeys`,
      );

/** The library throws plain errors that say what didn't match. */
function notAccepted(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  throw new DomainError('passkey.not_accepted', 403, `The passkey wasn't accepted: ${error.message.slice(0, 300)}`);
}

function readAssertion(text: string): PasskeyAssertion {
  try {
    return PasskeyAssertion.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch (error) {
    if (error instanceof Error) throw new DomainError('passkey.malformed', 400, 'The passkey header is malformed.');
    throw error;
  }
}

const toDescriptor = ({ id, transports }: KnownPasskey) => ({
  id,
  transports: transports as AuthenticatorTransportFuture[],
});

function describeSettings({ required, where, actions, windowSeconds }: PasskeySettings): string {
  if (!required) return 'Passkeys are not asked for';
  const whom = where === 'remote' ? 'devices elsewhere' : 'every device';
  const what = actions.map((action) => PASSKEY_ACTION_NAMES[action].toLowerCase()).join('; ');
  return `Asked of ${whom}, ${windowSeconds === 0 ? 'each time' : `once per ${windowSeconds} s`}, for: ${what}`;
}
