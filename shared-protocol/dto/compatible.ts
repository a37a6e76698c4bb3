// The interfaces of other programs that this service answers beside its own (docs/compatible.md).
import { z } from 'zod';

/** qBittorrent's WebAPI below `/api/v2`, and Transmission's RPC at `/transmission/rpc`. */
export const COMPATIBLE_INTERFACES = ['qbittorrent', 'transmission'] as const;
export type CompatibleInterface = (typeof COMPATIBLE_INTERFACES)[number];

const interfaceFields = { qbittorrent: z.boolean(), transmission: z.boolean() };

export const storedCompatibleSchema = z.object(interfaceFields);
export const compatibleSchema = storedCompatibleSchema
  .extend({
    /** The interfaces that the command line has decided about until the next start. */
    pinned: z.array(z.enum(COMPATIBLE_INTERFACES)),
  })
  .meta({ id: 'CompatibleInterfaces' });
export type CompatibleDto = Readonly<z.infer<typeof compatibleSchema>>;
/** Fields that are left out stay. */
export const compatibleBodySchema = storedCompatibleSchema.partial();
export type CompatibleBody = Readonly<z.infer<typeof compatibleBodySchema>>;
