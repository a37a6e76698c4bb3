// What can be seen without the daemon: its data directory, the clock, the room on the disk.
import { access, constants, readFile, stat, statfs } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import type { Context } from '../context.js';
import { dataDirOf } from '../daemon/find-daemon.js';
import { bytes } from '../output/quantities.js';
import type { Finding } from './finding.js';

const MIB = 1024 * 1024;
/** The state of thousands of torrents, twice. */
const LEAST_ROOM_BYTES = 200 * MIB;
const OTHERS_BITS = 0o077;
/** Locks and memory maps of these fail sooner or later (statfs(2): NFS, SMB, SMB2, FUSE). */
const REMOTE_FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xfe534d42: 'SMB',
  0x65735546: 'FUSE',
};
/** The program cannot be older than itself. */
const EARLIEST_YEAR = 2026;
const CLOCK_SYNCED = '/run/systemd/timesync/synchronized';

export async function lookAtMachine({ flags, terminal }: Context): Promise<readonly Finding[]> {
  if (flags.url !== undefined || terminal.env['SWARMD_URL']) return [clock()];
  return [clock(), ...(await dataDirectory(dataDirOf(flags, terminal)))];
}

function clock(): Finding {
  const now = new Date();
  if (now.getFullYear() < EARLIEST_YEAR) {
    const advice = 'set the clock: trackers, certificates and sessions need it';
    return { what: 'clock', how: 'wrong', found: `it says ${now.toISOString()}`, advice };
  }
  const isSynced = existsSync(CLOCK_SYNCED);
  return { what: 'clock', how: 'fine', found: `${now.toISOString()}${isSynced ? ', kept by systemd-timesyncd' : ''}` };
}

async function dataDirectory(path: string): Promise<Finding[]> {
  const what = 'data directory';
  try {
    const { mode, uid } = await stat(path);
    await access(path, constants.R_OK | constants.W_OK);
    const { bavail, bsize, type } = await statfs(path);
    const findings: Finding[] = [await openness(path, mode, uid)];
    const free = bavail * bsize;
    const roomAdvice = 'make room: a state that cannot be written stops everything';
    findings.push({
      what: `${what}, room`,
      how: free < LEAST_ROOM_BYTES ? 'wrong' : 'fine',
      found: `${bytes(free)} free`,
      advice: roomAdvice,
    });
    const remote = REMOTE_FILE_SYSTEMS[type];
    if (remote) {
      const advice = 'move it to a disk of this machine (--data-dir): databases do not keep well over a network';
      findings.push({ what: `${what}, disk`, how: 'worth', found: `${path} lies on ${remote}`, advice });
    }
    return findings;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      return [{ what, how: 'wrong', found: `${path} does not exist`, advice: 'name the right one with --data-dir' }];
    }
    return [{ what, how: 'wrong', found: message, advice: 'run this as the user of the daemon' }];
  }
}

async function openness(path: string, mode: number, uid: number): Promise<Finding> {
  const what = 'data directory';
  if ((mode & OTHERS_BITS) !== 0) {
    const found = `others may enter ${path}`;
    return { what, how: 'wrong', found, advice: `chmod 700 ${path}: digests of passwords and keys lie there` };
  }
  const me = process.getuid?.();
  if (me !== undefined && me !== uid) {
    const owner = (await nameOf(uid)) ?? String(uid);
    const advice = 'files that are made by another user cannot be written by the daemon later';
    return { what, how: 'worth', found: `${path} belongs to ${owner}, not to this user`, advice };
  }
  return { what, how: 'fine', found: `${path}, its owner's alone` };
}

async function nameOf(uid: number): Promise<string | null> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return (
    users
      .split('\n')
      .find((line) => line.split(':')[2] === String(uid))
      ?.split(':')[0] ?? null
  );
}
