// The folder that archives go to: which one it was the last time, in a file of the data directory. While its disk is not mounted an
// empty folder is at its place, or none: archives there would fill another disk, and be on none that helps.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError, messageOf } from '../../shared-protocol/errors.js';
import { readIfExists, replaceFile } from '../atomic-file.js';
import { isSameVolume, sightFolder, type Sighting } from '../folder-sighting.js';

const recordSchema = z.object({
  folder: z.string(),
  /** The name of the archive that was written last. */
  last: z.string(),
  sighting: z.object({ exists: z.boolean(), device: z.number(), inode: z.number(), birthMs: z.number() }),
});
type FolderRecord = z.infer<typeof recordSchema>;

export class BackupFolder {
  /** `file`: of the record; of a machine alone, and in no archive. */
  constructor(
    private readonly folder: string,
    private readonly file: string,
  ) {}

  /** One that nothing is recorded of is taken as it is. @throws AppError `FILES_MISSING` where it is on another disk than it was; `STORAGE_FAILED` */
  async assertSame(): Promise<void> {
    const record = await this.#read();
    if (record?.folder !== this.folder) return;
    if (isSameVolume(record.sighting, await this.#sighted()) || (await this.#has(record.last))) return;
    throw new AppError(
      'FILES_MISSING',
      `${this.folder} is not on the disk that the last backup was written to: mount that, or make one by hand to go on here`,
    );
  }

  /** An archive has been written there. @throws system errors */
  async remember(last: string): Promise<void> {
    const record: FolderRecord = { folder: this.folder, last, sighting: await sightFolder(this.folder) };
    await replaceFile(this.file, JSON.stringify(record));
  }

  async #sighted(): Promise<Sighting> {
    try {
      return await sightFolder(this.folder);
    } catch (cause) {
      const message = `${this.folder} cannot be reached: ${messageOf(cause)}`;
      throw new AppError('STORAGE_FAILED', message, undefined, { cause });
    }
  }

  /** null: there is none that can be read. */
  async #read(): Promise<FolderRecord | null> {
    try {
      const bytes = await readIfExists(this.file);
      return bytes && recordSchema.parse(JSON.parse(bytes.toString()));
    } catch {
      return null;
    }
  }

  #has(name: string): Promise<boolean> {
    return stat(join(this.folder, name)).then(
      () => true,
      () => false,
    );
  }
}
