// Whether a folder is ours alone. A root may be a place that other users of a machine write to: who made the folder before us, or may
// write to it, could say which torrents are whose.
import { lstat, mkdtemp, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/** Why what is there is not ours alone; null: it is. */
export async function whyNotOwn(folder: string): Promise<string | null> {
  const { mode, uid, isFolder } = await look(folder);
  // One that leads elsewhere was made by somebody else.
  if (!isFolder) return 'not a folder';
  if (mode & WRITABLE_BY_OTHERS) return `other users may write to it (mode ${(mode & 0o7777).toString(8)})`;
  // As this file system has us: over a network we may be another user than here.
  const made = await mkdtemp(join(folder, 'owner-'));
  const own = (await look(made)).uid;
  await rmdir(made);
  return uid === own ? null : `it belongs to user ${uid}, and what is made here to user ${own}`;
}

/** Whether others may take a folder away and put another one in its place. */
export async function mayBeReplaced(parent: string): Promise<boolean> {
  const { mode } = await look(parent);
  return (mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0;
}

async function look(path: string) {
  const stats = await lstat(path);
  return { mode: stats.mode, uid: stats.uid, isFolder: stats.isDirectory() };
}
