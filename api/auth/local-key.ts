// The key by which programs of the same user on this machine act for account 1, as `swarmd list` does: made anew at each
// start, kept in a file of the data directory that its owner alone can read, and gone at the end. Whoever can read that file
// can read and write the accounts beside it.
import { rm } from 'node:fs/promises';
import { replaceFile } from '../../storage/atomic-file.js';
import { digestOf, newApiKey, sameDigest } from './api-keys.js';

export class LocalKey {
  private constructor(
    private readonly file: string,
    private readonly digest: string,
  ) {}

  /** @throws Error where the file cannot be written */
  static async make(file: string, randomBytes: (length: number) => Uint8Array): Promise<LocalKey> {
    const { key, digest } = newApiKey(randomBytes);
    await replaceFile(file, `${key}\n`);
    return new LocalKey(file, digest);
  }

  opens(key: string): boolean {
    return sameDigest(digestOf(key), this.digest);
  }

  async remove(): Promise<void> {
    await rm(this.file, { force: true });
  }
}
