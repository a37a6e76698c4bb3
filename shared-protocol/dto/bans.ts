// docs/api.md, "Additions": addresses that administrators have banned by hand.
import { z } from 'zod';
import { countSchema, timeSchema } from './fields.js';

/** No spec value: as many as peers that are added by hand. */
export const MAX_ADDRESSES_PER_CALL = 1_000;
/** The longest IPv6 address with a length of prefix, and some room for zones and zeros. */
const MAX_ADDRESS_LENGTH = 100;

export const banSchema = z
  .object({
    /** An address, or a network in CIDR notation. */
    address: z.string(),
    banned_at: timeSchema,
    /** The account's name; null: it has been deleted. */
    banned_by: z.string().nullable(),
  })
  .meta({ id: 'BanDTO' });
export type BanDto = Readonly<z.infer<typeof banSchema>>;

/** The latest first. */
export const banListSchema = z.array(banSchema);

export const addressesBodySchema = z.object({
  addresses: z.array(z.string().max(MAX_ADDRESS_LENGTH)).min(1).max(MAX_ADDRESSES_PER_CALL),
});

/** `added`: how many were not banned before. */
export const bannedSchema = z.object({ ok: z.literal(true), added: countSchema });
