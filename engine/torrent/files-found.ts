// What is on disk when a torrent is loaded or added, before anything is trusted or asked for.
import type { ResumeRow } from '../../storage/types.js';
import type { Bitfield } from './bitfield.js';
import type { Content } from './content.js';
import { judgeFiles, type FilesVerdict } from './resume.js';

/** Whether something of the torrent is there already: then it is verified before it is downloaded. */
export async function hasAnyFile(content: Content): Promise<boolean> {
  return (await content.storage.fileStates()).some(({ sizeBytes }) => sizeBytes !== null && sizeBytes > 0);
}

/** How the files compare with how they were saved. */
export async function compareFiles(content: Content, have: Bitfield, saved: ResumeRow['files']): Promise<FilesVerdict> {
  return judgeFiles(content.info, content.priorities, have, saved, await content.storage.fileStates());
}
