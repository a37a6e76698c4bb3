// What tools of the two interfaces ask again and again, and which programs answer it.
import type { LibraryName } from '../libraries/index.js';
import type { Tool } from './tool.js';

/** The fields that Transmission's web interface shows. */
const FIELDS = [
  ...['id', 'hashString', 'name', 'downloadDir', 'totalSize', 'haveValid', 'percentDone', 'rateDownload', 'rateUpload'],
  ...['peersConnected', 'status', 'addedDate', 'queuePosition', 'error', 'leftUntilDone', 'labels'],
];

export interface Question {
  readonly name: string;
  /** The program whose interface it is. */
  readonly of: Exclude<LibraryName, 'swarmd'>;
  /** Bytes of the answer. */
  readonly ask: (tool: Tool) => Promise<number>;
  /** The answers of a round: processor time is told in hundredths of a second. A slow program gives fewer. */
  readonly answers: number;
}

export const QUESTIONS: readonly Question[] = [
  { name: 'maindata, full', of: 'qbittorrent', ask: (tool) => tool.mainData(true), answers: 5 },
  { name: 'maindata, unchanged', of: 'qbittorrent', ask: (tool) => tool.mainData(false), answers: 100 },
  { name: 'torrents/info', of: 'qbittorrent', ask: (tool) => tool.info(), answers: 5 },
  { name: 'torrent-get', of: 'transmission', ask: (tool) => tool.torrentGet(FIELDS), answers: 5 },
];

export function answers(program: LibraryName, { of }: Question): boolean {
  return program === 'swarmd' || program === of;
}
