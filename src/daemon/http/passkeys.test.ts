import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeBrowserKey } from '../../../test/kit/browser-key.ts';
import { pair } from '../../../test/kit/pair.ts';
import { type SoftAuthenticator, softAuthenticator } from '../../../test/kit/soft-authenticator.ts';
import { type Answer, startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import { waitFor } from '../../../test/kit/wait.ts';
import { PASSKEY_ACTIONS } from '../../contract/passkey-actions.ts';
import type { PasskeySettings } from '../../contract/passkeys.ts';

const HOST = 'tower.test';
const ORIGIN = `https://${HOST}`;
const USUAL: PasskeySettings = { required: true, where: 'remote', actions: [...PASSKEY_ACTIONS], windowSeconds: 0 };

let daemon: TestDaemon;
let admin: string;
let skew = 0;

beforeAll(async () => {
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + skew);
  daemon = await startTestDaemon({ preferences: { publicUrls: [ORIGIN, 'https://10.1.2.3:8443'] } });
  admin = await pair(daemon.link());
  await daemon.call('PUT', '/api/away', { token: admin, body: { away: true } });
});
afterAll(async () => {
  await daemon.dispose();
  vi.restoreAllMocks();
});

type Call = (
  method: string,
  path: string,
  options?: { body?: unknown; passkey?: string; host?: string; headers?: Record<string, string> },
) => Promise<Answer>;

interface Phone {
  id: string;
  call: Call;
}

/** A browser that paired through the public address and was confirmed at the machine. */
async function pairPhone({ role = 'admin' }: { role?: string } = {}): Promise<Phone> {
  const key = await makeBrowserKey();
  const link = await daemon.call('POST', '/api/links', { token: admin, body: { role, remote: true } });
  const remote = { host: HOST, origin: ORIGIN };
  const asked = await daemon.call('POST', '/api/pair', {
    token: false,
    headers: remote,
    body: { code: link.json.code, key: key.spki },
  });
  const { id, secret } = asked.json.pairing;
  expect((await daemon.call('POST', `/api/pairings/${id}/confirm`, { token: admin })).status).toBe(204);
  const outcome = await daemon.call('POST', '/api/pair/outcome', {
    token: false,
    headers: remote,
    body: { id, secret },
  });
  const deviceId = outcome.json.device.id as string;
  const refused = await daemon.call('GET', '/api/sessions', { token: false });
  const authorization = await key.authorization({ deviceId, run: refused.json.error.run });
  return {
    id: deviceId,
    call: (method, path, { body, passkey, host = HOST, headers = {} } = {}) =>
      daemon.call(method, path, {
        token: false,
        headers: { host, authorization, ...(passkey ? { 'x-groundcontrol-passkey': passkey } : {}), ...headers },
        ...(body === undefined ? {} : { body }),
      }),
  };
}

async function addPasskey(phone: Phone): Promise<SoftAuthenticator> {
  const key = softAuthenticator();
  const { json: given } = await daemon.call('POST', '/api/passkeys/codes', { token: admin });
  const started = await phone.call('POST', '/api/passkeys/options', { body: { code: given.code } });
  expect(started.status).toBe(200);
  const { challenge } = started.json.options;
  const response = key.register({ challenge, origin: ORIGIN, rpId: HOST });
  const added = await phone.call('POST', '/api/passkeys', { body: { name: 'Face ID', response } });
  expect(added.json).toMatchObject({ id: key.id, name: 'Face ID', rpId: HOST, own: true });
  return key;
}

const save = (settings: Partial<PasskeySettings>) =>
  daemon.call('PUT', '/api/passkeys/settings', { token: admin, body: { ...USUAL, ...settings } });

const LINK = { body: { role: 'viewer' } };
/** The challenge of a refused request. */
async function challengeOf(phone: Phone, method = 'POST', path = '/api/links', options = LINK as { body?: unknown }) {
  const refused = await phone.call(method, path, options);
  expect(refused).toMatchObject({ status: 403, json: { error: { code: 'passkey.needed' } } });
  return refused.json.error.passkey.options.challenge as string;
}

describe('a device elsewhere, with passkeys required', () => {
  let phone: Phone;
  let key: SoftAuthenticator;
  beforeAll(async () => {
    phone = await pairPhone();
    key = await addPasskey(phone);
  });
  beforeEach(async () => {
    expect((await save({})).status).toBe(200);
  });

  const good = (challenge: string) => ({ challenge, origin: ORIGIN, rpId: HOST });

  it('is asked for its passkey, and acts once with the answer', async () => {
    const passkey = key.answer(good(await challengeOf(phone)));
    expect((await phone.call('POST', '/api/links', { ...LINK, passkey })).status).toBe(200);
    const audit = await daemon.call('GET', '/api/audit?order=newest&limit=20', { token: admin });
    expect(audit.text).toContain('“Face ID” confirmed POST /api/links');
    const listed = await phone.call('GET', '/api/passkeys');
    expect(listed.json.passkeys.find(({ id }: { id: string }) => id === key.id).lastUsedAt).toBeGreaterThan(0);
  });

  it('still reads, denies and revokes without one', async () => {
    expect((await phone.call('GET', '/api/sessions')).status).toBe(200);
    const { id, answer } = await ask('git push');
    expect((await phone.call('POST', `/api/approvals/${id}/decision`, { body: { decision: 'deny' } })).status).toBe(
      200,
    );
    await answer;
    const spare = await daemon.call('POST', '/api/tokens', { token: admin, body: { name: 'spare', role: 'viewer' } });
    expect((await phone.call('DELETE', `/api/devices/${spare.json.device.id}`)).status).toBe(204);
  });

  it.each<[string, (challenge: string) => Promise<string> | string, RegExp]>([
    [
      'for another action',
      async () => key.answer(good(await challengeOf(phone, 'POST', '/api/tokens', { body: { name: 'x' } }))),
      /something else/,
    ],
    [
      'for other content',
      async () => key.answer(good(await challengeOf(phone, 'POST', '/api/links', { body: { role: 'admin' } }))),
      /something else/,
    ],
    ['to a challenge that nobody gave', () => key.answer(good('AAAA')), /something else/],
    ['from another origin', (challenge) => key.answer({ ...good(challenge), origin: 'https://evil.test' }), /origin/],
    [
      'from the same host over http',
      (challenge) => key.answer({ ...good(challenge), origin: `http://${HOST}` }),
      /origin/,
    ],
    ['for another host name', (challenge) => key.answer({ ...good(challenge), rpId: 'evil.test' }), /RP ID/],
    ['that did not verify the person', (challenge) => key.answer({ ...good(challenge), verifies: false }), /[Uu]ser/],
    ['whose counter went backwards', (challenge) => key.answer({ ...good(challenge), counter: 1 }), /counter/],
    ['that is a registration', (challenge) => key.answer({ ...good(challenge), type: 'webauthn.create' }), /type/],
    ['of an unknown passkey', (challenge) => softAuthenticator().answer(good(challenge)), /not one of this device/],
  ])('is refused an answer %s', async (_what, answer, why) => {
    // its counter must be ahead of what a stale one shows
    const ahead = key.answer(good(await challengeOf(phone)));
    expect((await phone.call('POST', '/api/links', { ...LINK, passkey: ahead })).status).toBe(200);
    const passkey = await answer(await challengeOf(phone));
    const refused = await phone.call('POST', '/api/links', { ...LINK, passkey });
    expect(refused).toMatchObject({ status: 403, json: { error: { code: 'passkey.not_accepted' } } });
    expect(refused.json.error.message).toMatch(why);
  });

  it('is refused an altered signature', async () => {
    const passkey = key.answer(good(await challengeOf(phone)));
    const read = JSON.parse(Buffer.from(passkey, 'base64url').toString());
    const signature = Buffer.from(read.response.signature, 'base64url');
    signature[signature.length - 1]! ^= 1;
    read.response.signature = signature.toString('base64url');
    const altered = Buffer.from(JSON.stringify(read)).toString('base64url');
    expect((await phone.call('POST', '/api/links', { ...LINK, passkey: altered })).status).toBe(403);
  });

  it.each(['', 'x', '%%%', Buffer.from('{}').toString('base64url'), Buffer.from('[1]').toString('base64url')])(
    'refuses the malformed header %j',
    async (passkey) => {
      const refused = await phone.call('POST', '/api/links', {
        ...LINK,
        headers: { 'x-groundcontrol-passkey': passkey },
      });
      expect([400, 403]).toContain(refused.status);
    },
  );

  it('is refused a replayed answer, also for the same request', async () => {
    const passkey = key.answer(good(await challengeOf(phone)));
    expect((await phone.call('POST', '/api/links', { ...LINK, passkey })).status).toBe(200);
    expect((await phone.call('POST', '/api/links', { ...LINK, passkey })).status).toBe(403);
  });

  it('is refused an answer that took more than two minutes', async () => {
    const challenge = await challengeOf(phone);
    skew += 121_000;
    const refused = await phone.call('POST', '/api/links', { ...LINK, passkey: key.answer(good(challenge)) });
    expect(refused.json.error.message).toMatch(/two minutes/);
  });

  it("is refused another device's passkey, and another device's challenge", async () => {
    const other = await pairPhone();
    const others = await addPasskey(other);
    const mine = await challengeOf(phone);
    const byOther = await phone.call('POST', '/api/links', { ...LINK, passkey: others.answer(good(mine)) });
    expect(byOther.json.error.message).toMatch(/not one of this device/);
    const theirs = await challengeOf(other);
    const answered = await phone.call('POST', '/api/links', { ...LINK, passkey: key.answer(good(theirs)) });
    expect(answered.status).toBe(403);
    // a copied key of a synced passkey is still another device's
    expect((await phone.call('PATCH', `/api/passkeys/${others.id}`, { body: { name: 'mine' } })).status).toBe(200);
  });

  it('is refused a revoked passkey, and is told how to add one', async () => {
    const other = await pairPhone();
    const old = await addPasskey(other);
    const challenge = await challengeOf(other);
    expect((await daemon.call('DELETE', `/api/passkeys/${old.id}`, { token: admin })).status).toBe(204);
    const refused = await other.call('POST', '/api/links', { ...LINK, passkey: old.answer(good(challenge)) });
    expect(refused).toMatchObject({ status: 403, json: { error: { code: 'passkey.none' } } });
    expect(refused.json.error.message).toContain('gctl passkeys code');
  });

  it('loses its passkeys when it is revoked', async () => {
    const other = await pairPhone();
    const old = await addPasskey(other);
    await daemon.call('DELETE', `/api/devices/${other.id}`, { token: admin });
    const { json } = await daemon.call('GET', '/api/passkeys', { token: admin });
    expect(json.passkeys.map(({ id }: { id: string }) => id)).not.toContain(old.id);
  });

  it("can't turn the requirement off, or narrow it, without its passkey", async () => {
    for (const change of [{ required: false }, { actions: [] }, { windowSeconds: 900 }]) {
      const body = { ...USUAL, ...change };
      const refused = await phone.call('PUT', '/api/passkeys/settings', { body });
      expect(refused.json.error.code).toBe('passkey.needed');
    }
    const challenge = await challengeOf(phone, 'PUT', '/api/passkeys/settings', {
      body: { ...USUAL, required: false },
    });
    const passkey = key.answer(good(challenge));
    const widened = await phone.call('PUT', '/api/passkeys/settings', { body: { ...USUAL, actions: [] }, passkey });
    expect(widened.status).toBe(403);
  });

  it('is asked again only after the window, if there is one', async () => {
    await save({ windowSeconds: 60 });
    const passkey = key.answer(good(await challengeOf(phone)));
    expect((await phone.call('POST', '/api/links', { ...LINK, passkey })).status).toBe(200);
    expect((await phone.call('POST', '/api/links', LINK)).status).toBe(200);
    // except for the settings themselves
    await challengeOf(phone, 'PUT', '/api/passkeys/settings', { body: USUAL });
    skew += 61_000;
    await challengeOf(phone);
  });

  it('is asked when a Host of this machine is forged through a tunnel', async () => {
    const forged = { host: `127.0.0.1:${daemon.port}` };
    expect((await phone.call('POST', '/api/links', { ...LINK, ...forged })).status).toBe(409);
    const named = { host: `localhost:${daemon.port}` };
    const refused = await phone.call('POST', '/api/links', { ...LINK, ...named });
    expect(refused.json.error.code).toBe('passkey.none');
  });

  it.each(['allow', 'allow_blind'])('is asked before it allows a request: %s', async (kind) => {
    const pattern = { toolName: 'Bash', parameters: { command: 'npm test' } };
    const { status } = await daemon.call('PUT', '/api/notify/settings', {
      token: admin,
      body: { contact: null, blind: kind === 'allow_blind' ? [pattern] : [] },
    });
    expect(status).toBe(200);
    await save({ actions: [kind as 'allow'] });
    const { id, answer } = await ask('npm test');
    const path = `/api/approvals/${id}/decision`;
    const challenge = await challengeOf(phone, 'POST', path, { body: { decision: 'allow' } });
    const passkey = key.answer(good(challenge));
    const other = { body: { decision: 'allow', updatedInput: { command: 'rm -rf /' } }, passkey };
    if (kind === 'allow') expect((await phone.call('POST', path, other)).status).toBe(403);
    const again = key.answer(good(await challengeOf(phone, 'POST', path, { body: { decision: 'allow' } })));
    expect((await phone.call('POST', path, { body: { decision: 'allow' }, passkey: again })).status).toBe(200);
    expect((await answer).text).toContain('allow');
  });

  it('needs none for what a pattern covers, unless the input was edited', async () => {
    const pattern = { toolName: 'Bash', parameters: { command: 'npm test' } };
    await daemon.call('PUT', '/api/notify/settings', { token: admin, body: { contact: null, blind: [pattern] } });
    await save({ actions: ['allow'] });
    const { id, answer } = await ask('npm test');
    const path = `/api/approvals/${id}/decision`;
    await challengeOf(phone, 'POST', path, { body: { decision: 'allow', updatedInput: { command: 'rm x' } } });
    expect((await phone.call('POST', path, { body: { decision: 'allow' } })).status).toBe(200);
    await answer;
  });

  it('is asked before it saves a rule with a denial, too', async () => {
    await save({ actions: ['rules'] });
    const { id, answer } = await ask('make');
    const remember = { pattern: { toolName: 'Bash', parameters: {} }, decision: 'allow', scope: 'global' };
    await challengeOf(phone, 'POST', `/api/approvals/${id}/decision`, { body: { decision: 'deny', remember } });
    await phone.call('POST', `/api/approvals/${id}/decision`, { body: { decision: 'deny' } });
    await answer;
  });
});

describe('adding a passkey', () => {
  beforeEach(() => save({ required: false }));

  it('takes a code from the machine on a device elsewhere, which works once', async () => {
    const phone = await pairPhone({ role: 'operator' });
    expect((await phone.call('GET', '/api/passkeys')).json).toMatchObject({ here: 'needs_code', passkeys: [] });
    expect((await phone.call('POST', '/api/passkeys/options', { body: {} })).json.error.code).toBe(
      'passkey.needs_code',
    );
    const wrong = await phone.call('POST', '/api/passkeys/options', { body: { code: 'BCDFGHJK' } });
    expect(wrong.json.error.code).toBe('passkey.bad_code');
    const { json } = await daemon.call('POST', '/api/passkeys/codes', { token: admin });
    expect((await phone.call('POST', '/api/passkeys/options', { body: { code: json.code } })).status).toBe(200);
    expect((await phone.call('POST', '/api/passkeys/options', { body: { code: json.code } })).status).toBe(403);
  });

  it("isn't offered a code elsewhere, not even for an admin", async () => {
    const phone = await pairPhone();
    expect((await phone.call('POST', '/api/passkeys/codes')).json.error.code).toBe('passkey.at_the_machine');
  });

  it('is refused for another challenge, origin or host name, and at an IP address', async () => {
    const phone = await pairPhone();
    const start = async () => {
      const { json } = await daemon.call('POST', '/api/passkeys/codes', { token: admin });
      const started = await phone.call('POST', '/api/passkeys/options', { body: { code: json.code } });
      return started.json.options.challenge as string;
    };
    const wrong = [
      { challenge: 'AAAA', origin: ORIGIN, rpId: HOST },
      { challenge: await start(), origin: 'https://evil.test', rpId: HOST },
      { challenge: await start(), origin: ORIGIN, rpId: 'evil.test' },
      { challenge: await start(), origin: ORIGIN, rpId: HOST, verifies: false },
    ];
    for (const one of wrong) {
      const response = softAuthenticator().register(one);
      const { status, json } = await phone.call('POST', '/api/passkeys', { body: { name: 'x', response } });
      expect({ status, code: json.error.code }).toEqual({ status: 403, code: 'passkey.not_accepted' });
    }
    const atAddress = await phone.call('POST', '/api/passkeys/options', { body: {}, host: '10.1.2.3:8443' });
    expect(atAddress.json.error.message).toContain('not at an IP address');
  });

  it("doesn't let an operator see or manage the passkeys of others", async () => {
    const other = await pairPhone();
    const key = await addPasskey(other);
    const phone = await pairPhone({ role: 'operator' });
    expect((await phone.call('GET', '/api/passkeys')).json.passkeys).toEqual([]);
    expect((await phone.call('PATCH', `/api/passkeys/${key.id}`, { body: { name: 'x' } })).status).toBe(404);
    expect((await phone.call('DELETE', `/api/passkeys/${key.id}`)).status).toBe(404);
  });

  it("keeps a device from locking itself out, and lets this machine's terminals off", async () => {
    const phone = await pairPhone();
    const refused = await phone.call('PUT', '/api/passkeys/settings', { body: USUAL });
    expect(refused).toMatchObject({ status: 409, json: { error: { code: 'passkey.none' } } });
    expect((await save({ where: 'everywhere' })).json.error.code).toBe('passkey.none');
    await daemon.call('PUT', '/api/passkeys/settings', { body: { ...USUAL, where: 'everywhere' } });
    const byToken = await daemon.call('POST', '/api/links', { token: admin, body: {} });
    expect(byToken.json.error.code).toBe('passkey.not_for_tokens');
    // what gctl uses; the daemon itself is the caller here
    expect((await daemon.call('PUT', '/api/passkeys/settings', { body: { ...USUAL, required: false } })).status).toBe(
      200,
    );
  });
});

let sessions = 0;
async function ask(command: string): Promise<{ id: string; answer: Promise<Answer> }> {
  sessions += 1;
  const session_id = `s${sessions}`;
  await daemon.hook({ session_id, cwd: '/tmp', hook_event_name: 'UserPromptSubmit', prompt: 'x' });
  const answer = daemon.hook({
    session_id,
    cwd: '/tmp',
    hook_event_name: 'PermissionRequest',
    tool_name: 'Bash',
    tool_input: { command },
  });
  const { id } = await waitFor(
    async () =>
      (await daemon.call('GET', `/api/approvals?status=pending&sessionId=${session_id}`)).json.approvals[0] as
        | { id: string }
        | undefined,
    { what: `an approval of ${session_id}` },
  );
  return { id, answer };
}
