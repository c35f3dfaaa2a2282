import { z } from 'zod';
import { PASSKEY_ACTIONS, type PasskeyAction } from './passkey-actions.ts';

/** Stopping must be quick in an emergency, and what a pattern covers was marked as safe. */
const USUAL_ACTIONS: PasskeyAction[] = ['allow', 'rules', 'devices', 'settings', 'start'];

export const MOST_WINDOW_SECONDS = 900;

export const PasskeySettings = z
  .object({
    required: z.boolean().default(false).describe('Ask for a passkey before dangerous actions'),
    where: z
      .enum(['remote', 'everywhere'])
      .default('remote')
      .describe('remote: only on devices that reach this machine from elsewhere'),
    actions: z.array(z.enum(PASSKEY_ACTIONS)).max(PASSKEY_ACTIONS.length).default(USUAL_ACTIONS),
    windowSeconds: z
      .number()
      .int()
      .min(0)
      .max(MOST_WINDOW_SECONDS)
      .default(0)
      .describe('How long one confirmation counts for the same device; 0: for one action'),
  })
  .strict();
export type PasskeySettings = z.infer<typeof PasskeySettings>;

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  rpId: z.string().describe('The host name it works at'),
  synced: z.boolean().describe("It may be copied to the owner's other devices by their system"),
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
  own: z.boolean().describe('It belongs to the device that asks'),
});
export type Passkey = z.infer<typeof Passkey>;

export const PasskeyList = z.object({
  settings: PasskeySettings,
  passkeys: z.array(Passkey).describe("All for admins; otherwise the device's own"),
  here: z
    .enum(['ready', 'needs_name', 'needs_code'])
    .describe(
      'Whether this device can add one at the address it uses. needs_name: not at an IP address. needs_code: with a code of `gctl passkeys code`',
    ),
});
export type PasskeyList = z.infer<typeof PasskeyList>;

const Name = z.string().trim().min(1).max(80);

export const PasskeyOptionsRequest = z
  .object({
    code: z.string().trim().min(1).max(40).optional().describe('From `gctl passkeys code`, for a device elsewhere'),
  })
  .strict();
/** What the browser's `parseCreationOptionsFromJSON` takes. */
export const PasskeyOptions = z.object({ options: z.looseObject({ challenge: z.string() }) });

const Base64Url = z.base64url().max(20_000);
/** What the browser's `toJSON` returns for a new credential. */
export const PasskeyRegistration = z
  .object({
    name: Name,
    response: z.object({
      id: Base64Url,
      rawId: Base64Url,
      type: z.literal('public-key'),
      response: z.object({
        clientDataJSON: Base64Url,
        attestationObject: Base64Url,
        transports: z.array(z.string().max(20)).max(10).optional(),
      }),
      clientExtensionResults: z.looseObject({}).default({}),
      authenticatorAttachment: z.string().max(20).nullish(),
    }),
  })
  .strict();

/** What the browser's `toJSON` returns for an answered challenge. */
export const PasskeyAssertion = z.object({
  id: Base64Url,
  rawId: Base64Url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
  }),
  clientExtensionResults: z.looseObject({}).default({}),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

export const PasskeyPatch = z.object({ name: Name }).strict();

/** Lets one device elsewhere add a passkey, once. */
export const PasskeyCode = z.object({ code: z.string(), expiresAt: z.number() });
