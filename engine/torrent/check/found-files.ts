// What is on disk when a torrent is loaded or added, before anything is trusted or asked for.
import type { ResumeRow } from '../../../storage/types.js';
import type { SavePaths } from '../../disk/index.js';
import type { FileState } from '../../disk/types.js';
import type { Bitfield } from '../pieces/bitfield.js';
import type { Content } from '../files/content.js';
import { judgeFiles, type FilesVerdict } from '../resume/resume-row.js';

export interface FoundFiles extends FilesVerdict {
  readonly files: readonly FileState[];
  /** The save path's volume is another one, or none, and nothing on it tells that it is the right one. */
  readonly isUnmounted: boolean;
}

/** Whether something of the torrent is there already: then it is verified before it is downloaded. */
export async function hasAnyFile(content: Content): Promise<boolean> {
  return isAnyThere(await content.storage.fileStates());
}

export function isAnyThere(files: readonly FileState[]): boolean {
  return files.some(({ sizeBytes }) => sizeBytes !== null && sizeBytes > 0);
}

/** How the files compare with how they were saved, and whether their volume is the one it was. */
export async function findFiles(
  content: Content,
  have: Bitfield,
  saved: ResumeRow['files'],
  { savePath, savePaths }: { readonly savePath: string; readonly savePaths: SavePaths },
): Promise<FoundFiles> {
  const isHere = await savePaths.isHere(savePath);
  const files = await content.storage.fileStates();
  const verdict = judgeFiles(content.info, content.priorities, have, saved, files);
  // A volume that holds what was verified, as it was, is as good as the one it was on.
  const isProven = have.count > 0 && verdict.missing === null && verdict.changed.length === 0;
  if (!isHere && isProven) await savePaths.adopt(savePath);
  return { ...verdict, files, isUnmounted: !isHere && !isProven };
}
