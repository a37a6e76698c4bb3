// What a process that misbehaves is told (neighbour.ts).
import { z } from 'zod';

export const NEIGHBOUR_KINDS = [
  'lists',
  'document',
  'adds',
  'sockets',
  'files',
  'pieces',
  'check',
  'deaf peers',
] as const;

export const neighbourJobSchema = z.object({
  kind: z.enum(NEIGHBOUR_KINDS),
  url: z.string(),
  key: z.string(),
  peerPort: z.int(),
  /** Of torrents of 200,000 files, of 500,000 pieces, of one that is sparse, and of one that is complete. */
  files: z.string(),
  pieces: z.string(),
  sparse: z.string(),
  seeded: z.string(),
  /** Of the complete one; its pieces are single blocks. */
  pieceCount: z.int(),
});
export type NeighbourJob = z.infer<typeof neighbourJobSchema>;
