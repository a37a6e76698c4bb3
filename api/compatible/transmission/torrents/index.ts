// The methods of torrents.
import { reading, type MethodTable } from '../row.js';
import { addMethods } from './add.js';
import { changeMethods } from './change.js';
import { getTorrents } from './get.js';
import { placeMethods } from './place.js';
import { setMethods } from './set.js';

export const torrentMethods = {
  'torrent-get': reading(getTorrents),
  ...addMethods,
  ...setMethods,
  ...changeMethods,
  ...placeMethods,
} as const satisfies MethodTable;
