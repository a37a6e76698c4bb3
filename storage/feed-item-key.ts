// The key of a feed's item in a store: guids are of any length, and of any characters.
import { createHash } from 'node:crypto';

export function itemKeyOf(guid: string): string {
  return createHash('sha256').update(guid).digest('hex').slice(0, 32);
}
