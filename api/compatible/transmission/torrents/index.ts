// The methods of torrents.
import { reading, type MethodTable } from '../row.js';
import { getTorrents } from './get.js';

export const torrentMethods = {
  'torrent-get': reading(getTorrents),
} as const satisfies MethodTable;
