// Beyond the contract of docs/api.md: how full the volumes are, and who takes the room.
import { z } from 'zod';
import { countSchema, idSchema } from './fields.js';

/** `bytes`: verified, on disk; `size`: when all of it is there. */
const takenFields = { torrents: countSchema, bytes: countSchema, size: countSchema };

const volumeSchema = z.object({
  /** null: the system did not say in time. */
  total_bytes: countSchema.nullable(),
  /** Room for those who are not root. */
  free_bytes: countSchema.nullable(),
  used_bytes: countSchema.nullable(),
  /** The caller's torrents go here where nothing else is said. */
  is_default: z.boolean(),
  /** Torrents in the caller's sight, each once however many hold it. */
  ...takenFields,
  /** Bytes of these that were downloaded and have come within the last seven days: how fast it fills. */
  recent_bytes: countSchema,
  /** Save paths on it, some of them where there are many; for administrators only. */
  paths: z.array(z.string()),
  /** The engine that it is of, where there are several; for administrators only. */
  engine: z.string().optional(),
});

export const storageSchema = z
  .object({
    volumes: z.array(volumeSchema),
    /** Each torrent counts for every account that holds it; others than administrators see themselves. */
    accounts: z.array(z.object({ id: idSchema, ...takenFields })),
    /** null: without one. */
    categories: z.array(z.object({ id: idSchema.nullable(), ...takenFields })),
  })
  .meta({ id: 'Storage' });
export type StorageDto = Readonly<z.infer<typeof storageSchema>>;
export type VolumeDto = StorageDto['volumes'][number];
