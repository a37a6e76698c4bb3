// The fields of torrentcreator/addTask as the body of Swarmd's own creations. What it makes are torrents of version 1.
import { createBodySchema, type CreateBody } from '../../../../shared-protocol/dto/creations.js';
import { RequestError } from '../../../errors.js';
import { check } from '../../../routes/input.js';
import type { Fields } from '../../fields.js';

/** Between trackers; an empty one begins another tier. */
const SEPARATOR = '|';

/** @throws RequestError `BODY_INVALID` naming the field, `CREATION_REFUSED` for what is not made */
export function taskIn(fields: Fields): CreateBody {
  const format = fields.text('format')?.toLowerCase() || 'v1';
  if (format !== 'v1') throw new RequestError('CREATION_REFUSED', 'format: torrents of version 1 are made, "v1"');
  if (fields.text('torrentFilePath')) {
    throw new RequestError('CREATION_REFUSED', 'torrentFilePath: the file is fetched, and not kept on the server');
  }
  // 0 in qBittorrent: by the size of the whole.
  const pieceSize = fields.integer('pieceSize') ?? 0;
  return check(createBodySchema, {
    path: fields.required('sourcePath'),
    piece_length: pieceSize > 0 ? pieceSize : null,
    private: fields.flag('private') ?? false,
    pad_files: (fields.number('paddedFileSizeLimit') ?? -1) >= 0,
    trackers: tiersIn(fields.text('trackers') ?? ''),
    web_seeds: partsOf(fields.text('urlSeeds') ?? '').filter((url) => url !== ''),
    source: fields.text('source') ?? '',
    comment: fields.text('comment') ?? '',
    seed: fields.flag('startSeeding') ?? true,
  });
}

function tiersIn(text: string): string[][] {
  const tiers: string[][] = [[]];
  for (const url of partsOf(text)) {
    if (url === '') tiers.push([]);
    else tiers.at(-1)?.push(url);
  }
  return tiers.filter((tier) => tier.length > 0);
}

function partsOf(text: string): string[] {
  return text.split(SEPARATOR).map((part) => part.trim());
}
