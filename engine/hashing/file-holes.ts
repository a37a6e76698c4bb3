// Where a file has nothing on disk: SEEK_DATA of Linux, which Node does not offer, asked of the C library. A hole reads as
// zeroes, but reading one takes as long as reading data: a file of 256 GiB with a few MiB in it would take minutes. Where
// it cannot be asked, every file is read as a whole.
import { loadCLibrary } from '../../shared-protocol/c-library.js';

/**
 * Where from `position` on the file may have data: `position` itself when nothing is known, and infinity when there is
 * nothing up to the file's end. Moves the descriptor's own position, which nothing here reads or writes at.
 */
export type NextData = (fd: number, position: number) => number;

const SEEK_DATA = 3;
/** No data from there on, or the file ends before. */
const ENXIO = 6;
export const unknownHoles: NextData = (_fd, position) => position;

/** Takes some 10 ms the first time in a thread. */
export function loadFileHoles(): NextData {
  const library = loadCLibrary();
  if (!library) return unknownHoles;
  const lseek = library.func('int64_t lseek(int fd, int64_t position, int whence)');
  return (fd, position) => {
    const next = Number(lseek(fd, position, SEEK_DATA));
    if (next >= 0) return next;
    return library.errno() === ENXIO ? Number.POSITIVE_INFINITY : position;
  };
}
