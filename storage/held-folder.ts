// A folder that is held open by a descriptor, so that what is made and removed in it is made and removed there, whatever
// its name has come to lead to since: Node has no openat(2), but the kernel lets a descriptor stand for its folder at
// /proc/self/fd. Without /proc names are all there is.
import { close, constants, existsSync, open } from 'node:fs';
import { lstat, mkdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isErrno } from './atomic-file.js';

const openFd = promisify(open);
const closeFd = promisify(close);

const HAS_PROC = existsSync('/proc/self/fd');
/** open(2): for operations on the folder alone, so that the right to list it is not needed. Linux only. */
const O_PATH = HAS_PROC ? 0o10000000 : 0;
const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | O_PATH;

export class HeldFolder {
  private constructor(
    private readonly fd: number,
    /** By which it was opened. */
    readonly path: string,
  ) {}

  /** @throws NodeJS.ErrnoException ENOTDIR or ELOOP for a link */
  static async open(path: string): Promise<HeldFolder> {
    return new HeldFolder(await openFd(path, FOLDER_FLAGS), path);
  }

  /** Where an entry of this very folder is for the kernel. */
  entry(name: string): string {
    return HAS_PROC ? `/proc/self/fd/${this.fd}/${name}` : join(this.path, name);
  }

  /** A folder in it, not through a link. @throws as {@link open} */
  async enter(name: string): Promise<HeldFolder> {
    return new HeldFolder(await openFd(this.entry(name), FOLDER_FLAGS), join(this.path, name));
  }

  /** Made unless something has the name. */
  async make(name: string, mode: number): Promise<boolean> {
    try {
      await mkdir(this.entry(name), { mode });
      return true;
    } catch (error) {
      if (isErrno(error, 'EEXIST')) return false;
      throw error;
    }
  }

  async kindOf(name: string): Promise<'folder' | 'link' | 'other'> {
    const stats = await lstat(this.entry(name));
    if (stats.isDirectory()) return 'folder';
    return stats.isSymbolicLink() ? 'link' : 'other';
  }

  /** Where the kernel says that it is at the moment. */
  async whereabouts(): Promise<string> {
    return HAS_PROC ? readlink(`/proc/self/fd/${this.fd}`) : this.path;
  }

  close(): Promise<void> {
    return closeFd(this.fd);
  }
}
