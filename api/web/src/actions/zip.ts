// A zip archive of files, as they are: torrent files hold little that could be made smaller.
import { zipSync } from 'fflate';

export interface ZippedFile {
  /** Unlike that of any other. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** For fewer than 65,535 files, of less than 4 GiB together. */
export function zipOf(files: readonly ZippedFile[]): Blob {
  const byName = Object.fromEntries(files.map(({ name, bytes }) => [name, bytes]));
  return new Blob([zipSync(byName, { level: 0 })], { type: 'application/zip' });
}
