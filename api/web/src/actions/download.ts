// Has the browser save what an address of the server answers.
import type { Torrent } from '../live/messages.js';
import { fetchFile } from '../net/http.js';
import { attempt } from './perform.js';
import { atBase } from '../net/base.js';

/** Long enough for the browser to have taken it over. */
const KEPT_MS = 60_000;

/** @default the name that the server gives it */
export function download(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = atBase(address);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** The torrent files, one after the other; what the server refuses is told, and not saved. */
export async function exportTorrents(torrents: readonly Pick<Torrent, 'id' | 'name'>[]): Promise<void> {
  for (const { id, name } of torrents) {
    const file = await attempt(() => fetchFile(`/api/torrents/${id}/file`));
    if (!file) continue;
    const address = URL.createObjectURL(file);
    download(address, `${name}.torrent`);
    setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
  }
}
