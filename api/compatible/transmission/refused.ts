// Methods that are there for the owner of a machine, or for what Swarmd has not: told of, and never done.
import { RequestError } from '../../errors.js';
import { changing, reading, type MethodTable } from './row.js';

/** The service is ended by the one who started it. */
const CLOSING = 'not allowed';
const NO_GROUPS = 'there are no groups of bandwidth';

export const refusedMethods = {
  'session-close': changing(() => refuse(CLOSING)),
  'group-set': changing(() => refuse(NO_GROUPS)),
  'group-get': reading(() => ({ group: [] })),
} as const satisfies MethodTable;

function refuse(sentence: string): never {
  throw new RequestError('TORRENT_REFUSED', sentence);
}
