// Which names lead to the folder that engines share. File systems that take upper and lower case for one, or drop characters that are
// not seen, have several; Windows besides the short one. Pure.
import { relative, sep } from 'node:path';
import { isAtOrBelow } from '../real-location.js';

/** The folder's name; nothing of a torrent lies in it, and nobody is told what does. */
export const SHARED_FOLDER = '.swarmd';
/** Why a path in it is refused. */
export const BETWEEN_ENGINES = 'what engines know of each other is there';
const FOLDED = SHARED_FOLDER.toUpperCase();
/** The first short name that Windows gives it, and those after it. */
const SHORT_NAME = /^SWARMD~\d+$/;

/** Whether a name in a shared root leads to the folder, on some file system. */
export function isSharedFolder(name: string): boolean {
  const seen = name.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  const folded = seen.toUpperCase().replace(/[. ]+$/, '');
  return folded === FOLDED || SHORT_NAME.test(folded);
}

/** Whether a path is the folder of a shared root, or in it; both real. */
export function isInSharedFolder(path: string, root: string): boolean {
  return path !== root && isAtOrBelow(path, root) && isSharedFolder(relative(root, path).split(sep)[0] ?? '');
}
