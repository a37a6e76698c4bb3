// Finds the torrent that an encrypted incoming connection names: MSE sends HASH('req2', info hash) instead of the
// info hash. The index is made when the first such connection comes.
import type { InfoHash } from '../../shared-protocol/ids.js';
import { hashOf } from '../wire/mse/key-exchange.js';

export class ObfuscatedHashes {
  #index: Map<string, InfoHash> | null = null;

  constructor(private readonly all: () => Iterable<InfoHash>) {}

  /** `obfuscated` in hex; null when we have no such torrent. */
  find(obfuscated: string): InfoHash | null {
    this.#index ??= new Map([...this.all()].map((infoHash) => [obfuscate(infoHash), infoHash]));
    return this.#index.get(obfuscated) ?? null;
  }

  add(infoHash: InfoHash): void {
    this.#index?.set(obfuscate(infoHash), infoHash);
  }

  remove(infoHash: InfoHash): void {
    this.#index?.delete(obfuscate(infoHash));
  }
}

function obfuscate(infoHash: InfoHash): string {
  return Buffer.from(hashOf('req2', Buffer.from(infoHash, 'hex'))).toString('hex');
}
