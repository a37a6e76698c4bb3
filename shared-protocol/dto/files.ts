// docs/api.md, "Additions": what the routes for files of torrents take.
import { z } from 'zod';

/** Longest path that is in a torrent: 100 elements of 240 bytes. */
const MAX_FOLDER_LENGTH = 24_200;

export const zipQuerySchema = z.object({
  /** Named as in the list of files, the torrent's own folder first; left out: all of the torrent. */
  folder: z.string().max(MAX_FOLDER_LENGTH).default(''),
});
