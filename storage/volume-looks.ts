// How full volumes are, as `df` has it.
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { VolumeLook } from '../shared-protocol/folders.js';
import { isErrno } from './atomic-file.js';

/** In the order of the paths, one after another: one look at each volume. null: it cannot be looked at. */
export async function lookAtVolumes(paths: readonly string[]): Promise<(VolumeLook | null)[]> {
  const known = new Map<number, VolumeLook>();
  const looks: (VolumeLook | null)[] = [];
  for (const path of paths) {
    const look = await lookAt(path, known).catch(() => null);
    if (look) known.set(look.device, look);
    looks.push(look);
  }
  return looks;
}

/** At the folder that is there, of a path that is yet to be made. */
async function lookAt(path: string, volumes: ReadonlyMap<number, VolumeLook>): Promise<VolumeLook> {
  const [folder, device] = await deviceOf(path);
  const known = volumes.get(device);
  if (known) return known;
  const { bsize, blocks, bfree, bavail } = await statfs(folder);
  // As `df` has it: what is kept for root is neither free nor part of what can be used.
  return { device, totalBytes: bsize * (blocks - bfree + bavail), freeBytes: bsize * bavail };
}

async function deviceOf(path: string): Promise<[folder: string, device: number]> {
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      return [folder, (await stat(folder)).dev];
    } catch (error) {
      if (!isErrno(error, 'ENOENT') || folder === dirname(folder)) throw error;
    }
  }
}
