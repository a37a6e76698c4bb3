// All that lies below the save path: which file it is, and what is in it. Only what has changed is read again.
import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '../../../storage/atomic-file.js';

export interface FileSeen {
  /** Inode and time of birth: another file of the same name is another one. */
  readonly identity: string;
  readonly stamp: string;
  readonly digest: string;
}

export class Tree {
  constructor(
    readonly files: ReadonlyMap<string, FileSeen>,
    readonly folders: ReadonlySet<string>,
  ) {}

  exists(path: string): boolean {
    return this.files.has(path) || this.folders.has(path);
  }
}

export async function readTree(root: string, before?: Tree): Promise<Tree> {
  const files = new Map<string, FileSeen>();
  const folders = new Set<string>([root]);
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(unlessGone<Dirent[]>([]))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        folders.add(path);
        await visit(path);
      } else {
        const seen = await look(path, before?.files.get(path)).catch(unlessGone(null));
        if (seen) files.set(path, seen);
      }
    }
  };
  await visit(root);
  return new Tree(files, folders);
}

async function look(path: string, before: FileSeen | undefined): Promise<FileSeen> {
  const { ino, birthtimeNs, ctimeNs, size } = await lstat(path, { bigint: true });
  const identity = `${ino} ${birthtimeNs}`;
  const stamp = `${identity} ${ctimeNs} ${size}`;
  if (before?.stamp === stamp) return before;
  const digest = createHash('sha1')
    .update(await readFile(path))
    .digest('hex');
  return { identity, stamp, digest };
}

/** A deletion may be under way. */
function unlessGone<Value>(absent: Value): (error: unknown) => Value {
  return (error) => {
    if (isErrno(error, 'ENOENT')) return absent;
    throw error;
  };
}
