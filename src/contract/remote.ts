import { z } from 'zod';

/** What the page and the API have at their root: below a path of the same name, the two could not be told apart. */
const OWN_PATHS =
  /^\/(api|assets|icons|sessions|inbox|history|stats|rules|reviews|worktrees|queue|agents|fan-outs|audit|settings|pair|trust|ws|mcp|events|healthz)(\/|$)/;
const BASE_PATH = /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,60}){0,3}\/?$/;

/** An address of the page outside this machine: `https://mac.tail1234.ts.net`, or `https://example.com/gc` below a path. */
export const PublicUrl = z
  .url({ protocol: /^https$/ })
  .max(300)
  .refine((text) => URL.canParse(text) && new URL(text).search === '' && new URL(text).hash === '', {
    message: 'must be an https address without a query',
  })
  .refine((text) => !URL.canParse(text) || new URL(text).username === '', { message: 'must not contain a user name' })
  .refine((text) => !URL.canParse(text) || BASE_PATH.test(new URL(text).pathname), {
    message: 'must have a plain path, like /gc, or none',
  })
  .refine((text) => !URL.canParse(text) || !OWN_PATHS.test(new URL(text).pathname), {
    message: 'must have a path that the page itself does not use, like /gc',
  })
  .transform((text) => new URL(text).origin + new URL(text).pathname.replace(/\/$/, ''));

/** One address or a range: `10.0.0.2`, `10.0.0.0/24`, `::1`. */
export const ProxyAddress = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** The daemon's own HTTPS door for other machines. */
export const Listener = z
  .object({
    host: z.string().min(1).max(253).describe('The address to listen on: 0.0.0.0 for all'),
    port: z.number().int().min(0).max(65_535),
    certFile: z.string().startsWith('/').max(4096),
    keyFile: z.string().startsWith('/').max(4096),
  })
  .strict();
export type Listener = z.infer<typeof Listener>;

/** No word may pass for an option of the tool. */
const Word = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.@:-]{0,252}$/, 'use letters, digits, ".", "-", "_" and "@"');
const Port = z.number().int().min(1).max(65_535);

/** A tunnel that the daemon keeps open with the installed tool. */
export const Tunnel = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('ssh'),
      target: Word.describe('A server that you can log in to: me@server.example.com, or a name in ~/.ssh/config'),
      remotePort: Port.describe("The port on the server, on the server's loopback"),
      sshPort: Port.optional(),
    })
    .strict(),
  z
    .object({
      kind: z.literal('cloudflare'),
      name: Word.optional().describe('A named tunnel. Absent: a quick tunnel, with a new address at each start'),
    })
    .strict(),
]);
export type Tunnel = z.infer<typeof Tunnel>;

export const TUNNEL_STATES = ['starting', 'connected', 'retrying'] as const;

export const TunnelState = z.object({
  tunnel: Tunnel,
  state: z.enum(TUNNEL_STATES),
  since: z.number(),
  restarts: z.number().describe('How often the tool had to be started again'),
  error: z.string().nullable().describe('What the tool said when it last ended'),
  fix: z.string().nullable(),
});
export type TunnelState = z.infer<typeof TunnelState>;

/** Which addresses the page is reached at. The first is used in links and notifications. */
export const RemoteAccess = z.object({
  urls: z.array(z.string()),
  listener: z
    .object({
      host: z.string(),
      port: z.number(),
      state: z.enum(['listening', 'failed']),
      error: z.string().nullable(),
      certificate: z
        .object({
          names: z.array(z.string()),
          expiresAt: z.number(),
          caFingerprint: z.string().nullable().describe('SHA-256 of the generated CA. null: you supplied your own'),
        })
        .nullable(),
    })
    .nullable(),
  tunnel: TunnelState.nullable(),
  trustedProxies: z.array(z.string()).describe('Whose X-Forwarded-* headers count'),
});
export type RemoteAccess = z.infer<typeof RemoteAccess>;

/** Whether this very daemon answers at an address. */
export const AddressCheck = z.object({
  address: z.string(),
  works: z.boolean(),
  detail: z.string(),
  fix: z.string().nullable(),
});
export type AddressCheck = z.infer<typeof AddressCheck>;
export const AddressChecks = z.object({ checks: z.array(AddressCheck) });

export const TunnelRequest = z
  .object({ tunnel: Tunnel, url: PublicUrl.optional().describe('The address that the tunnel serves') })
  .strict();

export const PublicUrlRequest = z
  .object({
    url: PublicUrl,
    trustedProxies: z
      .array(ProxyAddress)
      .max(20)
      .optional()
      .describe('Believe the X-Forwarded-* headers of these; replaces the earlier ones. Default: of none'),
  })
  .strict();

/** Opens the HTTPS door with the given certificate, or with one from a CA created for it. */
export const ListenerRequest = z
  .object({
    host: Listener.shape.host.default('0.0.0.0'),
    port: Listener.shape.port.default(0).describe('0: one above the daemon’s own'),
    names: z
      .array(z.string().regex(/^[A-Za-z0-9.:-]{1,253}$/))
      .max(20)
      .default([])
      .describe('Host names and addresses it is reached at. None: the addresses of this machine'),
    certFile: Listener.shape.certFile.optional(),
    keyFile: Listener.shape.keyFile.optional(),
  })
  .strict()
  .refine(({ certFile, keyFile }) => (certFile === undefined) === (keyFile === undefined), {
    message: 'certFile and keyFile go together',
  });
export type ListenerRequest = z.input<typeof ListenerRequest>;
