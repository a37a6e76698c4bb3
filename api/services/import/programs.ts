// The programs that torrents are taken over from: how the state of each is opened, and what in it tells that it runs.
import type { ImportSource } from '../../../shared-protocol/dto/imports.js';
import type { ForeignLibrary } from './foreign-torrent.js';
import { openDeluge } from './deluge/deluge.js';
import { openQbittorrent } from './qbittorrent/qbittorrent.js';
import { openRtorrent } from './rtorrent/rtorrent.js';
import type { StateDirectory } from './state-directory.js';
import { openTransmission } from './transmission/transmission.js';

interface ForeignProgram {
  readonly name: string;
  /** Files with the number of the process that has the state, by folder. */
  readonly locks: readonly (readonly [folder: string, file: string])[];
  /** @throws AppError `IMPORT_UNREADABLE` */
  open(root: StateDirectory): Promise<ForeignLibrary>;
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
    open: openQbittorrent,
  },
  transmission: { name: 'Transmission', locks: [], open: openTransmission },
  deluge: {
    name: 'Deluge',
    locks: [
      ['', 'deluged.pid'],
      ['.config/deluge', 'deluged.pid'],
    ],
    open: openDeluge,
  },
  rtorrent: {
    name: 'rTorrent',
    locks: [
      ['', 'rtorrent.lock'],
      ['.session', 'rtorrent.lock'],
      ['session', 'rtorrent.lock'],
    ],
    open: openRtorrent,
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
