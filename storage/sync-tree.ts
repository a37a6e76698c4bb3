// Folders whose files are to be on stable storage, as they lie there, before they take their place.
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE_MODE, syncDirectory } from './atomic-file.js';

/** Names of files below a folder, from there. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Resolves when all files and names below a folder are durable; the files are their owner's alone then. */
export async function syncTree(folder: string): Promise<void> {
  for (const name of await filesBelow(folder)) {
    const handle = await open(join(folder, name), 'r+', PRIVATE_FILE_MODE);
    try {
      await handle.chmod(PRIVATE_FILE_MODE);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await syncDirectory(join(entry.parentPath, entry.name));
  await syncDirectory(folder);
}
