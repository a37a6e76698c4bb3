// How connections in tests are protected.
import type { InfoHash } from '../../shared-protocol/ids.js';
import type { EncryptionPolicy } from '../../shared-protocol/encryption-policy.js';
import { hashOf } from '../../engine/wire/mse/key-exchange.js';
import { Rc4Machines } from '../../engine/wire/mse/rc4.js';
import type { ChannelSecurity } from '../../engine/wire/secure-channel.js';
import { SeededRandom } from './seeded-random.js';

const machines = new Rc4Machines();

export function plainSecurity(): ChannelSecurity {
  return securityOf('off', [], 1);
}

/** A side with these torrents. */
export function securityOf(policy: EncryptionPolicy, infoHashes: readonly InfoHash[], seed: number): ChannelSecurity {
  const byHash = new Map(
    infoHashes.map((hash) => [Buffer.from(hashOf('req2', Buffer.from(hash, 'hex'))).toString('hex'), hash]),
  );
  return { policy, random: new SeededRandom(seed), machines, findTorrent: (hash) => byHash.get(hash) ?? null };
}
