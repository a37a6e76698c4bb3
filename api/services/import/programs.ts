// The programs that torrents are taken over from: how the state of each is opened, and what in it tells that it runs. What
// reads a state is loaded with the first one of its program.
import type { ImportSource } from '../../../shared-protocol/dto/imports.js';
import type { ForeignLibrary } from './foreign-torrent.js';
import type { StateDirectory } from './state-directory.js';

interface ForeignProgram {
  readonly name: string;
  /** Files with the number of the process that has the state, by folder. */
  readonly locks: readonly (readonly [folder: string, file: string])[];
  /** `scratch`: a folder of ours for what has to be copied, all of which goes again. @throws AppError `IMPORT_UNREADABLE`, `STORAGE_FAILED` */
  open(root: StateDirectory, scratch: string): Promise<ForeignLibrary>;
}

export const PROGRAMS: Readonly<Record<ImportSource, ForeignProgram>> = {
  qbittorrent: {
    name: 'qBittorrent',
    locks: [
      ['', 'lockfile'],
      ['config', 'lockfile'],
      ['qBittorrent/config', 'lockfile'],
      ['.config/qBittorrent', 'lockfile'],
    ],
    open: async (root, scratch) => (await import('./qbittorrent/qbittorrent.js')).openQbittorrent(root, scratch),
  },
  transmission: {
    name: 'Transmission',
    locks: [],
    open: async (root) => (await import('./transmission/transmission.js')).openTransmission(root),
  },
  deluge: {
    name: 'Deluge',
    locks: [
      ['', 'deluged.pid'],
      ['.config/deluge', 'deluged.pid'],
    ],
    open: async (root) => (await import('./deluge/deluge.js')).openDeluge(root),
  },
  rtorrent: {
    name: 'rTorrent',
    locks: [
      ['', 'rtorrent.lock'],
      ['.session', 'rtorrent.lock'],
      ['session', 'rtorrent.lock'],
    ],
    open: async (root) => (await import('./rtorrent/rtorrent.js')).openRtorrent(root),
  },
};

const MAX_LOCK_BYTES = 4_096;

/** The number of the process that seems to have the state; null: none does. */
export async function runningOn(root: StateDirectory, { locks }: ForeignProgram): Promise<number | null> {
  for (const [folder, file] of locks) {
    const directory = await root.firstOf([folder]);
    const text = (await directory?.read(file, MAX_LOCK_BYTES).catch(() => null))?.toString('latin1') ?? '';
    const pid = Number(/\d+/.exec(text.replace(/^.*:\+/, ''))?.[0] ?? 0);
    if (pid > 1 && isAlive(pid)) return pid;
  }
  return null;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
