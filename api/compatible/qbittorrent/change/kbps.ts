// Speeds as qBittorrent's tools write them, in bytes per second, as the services take them.
import { RequestError } from '../../../errors.js';
import type { Fields } from '../../fields.js';

const KIB = 1024;

/** KiB per second, rounded up: 0, no limit, for 0 and -1 alone. Undefined: nothing is said. @throws RequestError `BODY_INVALID` */
export function kbpsIn(fields: Fields, name: string): number | undefined {
  const bytes = fields.integer(name);
  if (bytes === undefined) return undefined;
  if (bytes < -1) throw new RequestError('BODY_INVALID', `${name}: must not be negative`);
  return Math.ceil(Math.max(0, bytes) / KIB);
}
