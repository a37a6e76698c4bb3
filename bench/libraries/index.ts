// The programs that can hold a library of torrents.
import type { LibraryName, LibraryProgram } from './library-program.js';
import { qbittorrentLibrary } from './qbittorrent.js';
import { swarmdLibrary } from './swarmd.js';
import { transmissionLibrary } from './transmission.js';

export const LIBRARIES: { readonly [Name in LibraryName]: LibraryProgram } = {
  swarmd: swarmdLibrary,
  transmission: transmissionLibrary,
  qbittorrent: qbittorrentLibrary,
};

export * from './library-program.js';
export { SwarmdLibrary } from './swarmd.js';
