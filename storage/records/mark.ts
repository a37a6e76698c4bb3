// A file that says that the records of a data directory are in a database: those in its files are older from then on, and no daemon
// begins with them.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../shared-protocol/errors.js';
import { readIfExists, replaceFile } from '../atomic-file.js';

export const MARK_FILE = 'records-in-database';

/** Writes that they are in the database of that name, in a sentence for who looks into the directory. */
export async function writeMark(directory: string, database: string, unixMs: number): Promise<void> {
  const day = new Date(unixMs).toISOString().slice(0, 16).replace('T', ' ');
  await replaceFile(join(directory, MARK_FILE), `carried into ${database} on ${day} UTC\n`);
}

/** The sentence; null: its records are its files. */
export async function readMark(directory: string): Promise<string | null> {
  const bytes = await readIfExists(join(directory, MARK_FILE));
  return bytes && (bytes.toString('utf8').split('\n')[0] ?? '');
}

export async function removeMark(directory: string): Promise<void> {
  await rm(join(directory, MARK_FILE), { force: true });
}

/** For a program that would take the files for the records. @throws AppError `RECORDS_ELSEWHERE` */
export async function refuseMarked(directory: string): Promise<void> {
  const mark = await readMark(directory);
  if (mark === null) return;
  throw new AppError(
    'RECORDS_ELSEWHERE',
    `data directory: the records of ${directory} were ${mark}: start with --database-file, or bring them back (swarmd records to-files)`,
  );
}
