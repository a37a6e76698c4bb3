// Where a path really leads (docs/semantics.md section 10): links of the part that exists are resolved, the rest will
// be created below it. Owns: a link that leads nowhere is no place, since its target may appear later, anywhere.
import type { Stats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { RealLocation } from '../shared-protocol/folders.js';
import { isErrno } from './atomic-file.js';

/** `path` absolute and in its normal form. */
export async function realLocation(path: string): Promise<RealLocation> {
  return (await directoryAt(path)) ?? (await walkTo(path));
}

/** The usual case, in one call: it is a directory already. */
async function directoryAt(path: string): Promise<RealLocation | null> {
  try {
    // Nothing but a directory has an entry `.`.
    return { kind: 'place', path: await realpath(`${path}/.`) };
  } catch {
    return null;
  }
}

async function walkTo(path: string): Promise<RealLocation> {
  const names = path.split(sep).filter((name) => name !== '');
  let reached: string = sep;
  for (const [index, name] of names.entries()) {
    const next = await enter(reached, name);
    if (next.kind === 'absent') return { kind: 'place', path: join(reached, ...names.slice(index)) };
    if (next.kind === 'unusable') return next;
    reached = next.path;
  }
  return { kind: 'place', path: reached };
}

/** `path` is `root` or below it; both real. */
export function isAtOrBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

type Entered =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'absent' }
  | Extract<RealLocation, { kind: 'unusable' }>;

async function enter(directory: string, name: string): Promise<Entered> {
  const path = join(directory, name);
  const unusable = (reason: string): Entered => ({ kind: 'unusable', path, reason });
  const noFolder = (at: string): Entered => ({
    kind: 'unusable',
    path: at,
    reason: 'not a directory',
    isNoFolder: true,
  });
  let stats: Stats;
  try {
    stats = await lstat(path);
  } catch (error) {
    return isErrno(error, 'ENOENT') ? { kind: 'absent' } : unusable('cannot be used');
  }
  if (stats.isDirectory()) return { kind: 'directory', path };
  if (!stats.isSymbolicLink()) return noFolder(path);
  try {
    const target = await realpath(path);
    return (await lstat(target)).isDirectory() ? { kind: 'directory', path: target } : noFolder(target);
  } catch (error) {
    return unusable(isErrno(error, 'ENOENT') ? 'leads nowhere' : 'cannot be used');
  }
}
