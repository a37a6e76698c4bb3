// docs/api.md, "Additions": what MediaInfo says of a file of a torrent.
import { z } from 'zod';

export const mediaInfoSchema = z.object({
  /** The report as MediaInfo prints it, in English: sections apart by an empty line, of lines `label : value`. */
  text: z.string(),
});

export type MediaInfoDto = z.infer<typeof mediaInfoSchema>;
