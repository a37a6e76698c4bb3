// The file that says where a database is. Its first line: it has a password, which no command line is to show.
import { readFile } from 'node:fs/promises';
import { AppError } from '../../shared-protocol/errors.js';

/** @throws AppError `STORAGE_FAILED` */
export async function addressIn(file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new AppError('STORAGE_FAILED', `--database-file ${file}: cannot be read`, undefined, { cause });
  }
  const [address = ''] = text.split(/\r?\n/, 1);
  if (address.trim() !== '') return address.trim();
  throw new AppError('STORAGE_FAILED', `--database-file ${file}: expected postgres://… on the first line`);
}
