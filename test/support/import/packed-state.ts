// The state of a qBittorrent as its user packs it: the home of somebody whose torrents lay in `/downloads`.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Test } from 'tap';
import { makeScratch } from '../peers/scratch.js';
import { writeOldTorrents, type OldTorrent } from './old-torrents.js';

const LAST_YEAR = 1_700_000_000;
const CONFIG = '[BitTorrent]\nSession\\GlobalDLSpeedLimit=500\n';
const PACKERS = {
  tar: ['tar', '-cf', '-', 'home'],
  'tar.gz': ['tar', '-czf', '-', 'home/me/.local', 'home/me/.config'],
  zip: ['python3', '-c', 'import shutil; print(shutil.make_archive("../state", "zip", "home/me"))'],
} as const;

export type PackedKind = keyof typeof PACKERS;

/** With a speed limit of 500 KiB/s in its configuration. */
export async function packedState(t: Test, kind: PackedKind, torrents: readonly OldTorrent[]): Promise<Buffer> {
  const scratch = await makeScratch('packed-state');
  t.teardown(() => scratch.remove());
  const [top, home] = [join(scratch.path, 'top'), join(scratch.path, 'top', 'home', 'me')];
  await writeOldTorrents(join(home, '.local/share/qBittorrent/BT_backup'), '/downloads', torrents, LAST_YEAR);
  await mkdir(join(home, '.config/qBittorrent'), { recursive: true });
  await writeFile(join(home, '.config/qBittorrent/qBittorrent.conf'), CONFIG);
  const [program, ...args] = PACKERS[kind];
  const output = execFileSync(program, args, { cwd: top });
  return kind === 'zip' ? readFile(resolve(top, output.toString().trim())) : output;
}
