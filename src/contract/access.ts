import { z } from 'zod';

/** Operators act; viewers only look. */
export const ROLES = ['operator', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export const Device = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  createdAt: z.number(),
  lastSeenAt: z.number().nullable(),
  current: z.boolean().describe('The device that asks'),
});
export type Device = z.infer<typeof Device>;
export const DeviceList = z.object({ devices: z.array(Device) });

export const LinkRequest = z
  .object({ role: z.enum(ROLES).default('operator'), name: z.string().trim().min(1).max(80).optional() })
  .strict();

/** A link that lets one browser in, once. */
export const Link = z.object({ url: z.string(), code: z.string(), expiresAt: z.number(), role: z.enum(ROLES) });
export type Link = z.infer<typeof Link>;

export const PairRequest = z
  .object({ code: z.string().trim().min(1).max(100), name: z.string().trim().min(1).max(80).optional() })
  .strict();
export const Paired = z.object({ device: Device, token: z.string().describe('Bearer for this device') });
