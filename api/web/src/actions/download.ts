// Has the browser save what an address of the server answers.
import type { Torrent } from '../live/messages.js';
import { fetchFile } from '../net/http.js';
import { atBase } from '../net/base.js';
import { oneByOne } from './one-by-one.js';
import type { ZippedFile } from './zip.js';

/** Long enough for the browser to have taken it over. */
const KEPT_MS = 60_000;
/** Torrents of one archive, by what a zip without 64-bit fields holds. */
const OF_AN_ARCHIVE = 20_000;

/** @default the name that the server gives it */
export function download(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = atBase(address);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  download(address, name);
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

/**
 * The torrent files: of one as it is, of several in an archive, as browsers drop most of many downloads. What the server
 * refuses is told, and not saved.
 */
export async function exportTorrents(torrents: readonly Pick<Torrent, 'id' | 'name'>[]): Promise<void> {
  for (let from = 0; from < torrents.length; from += OF_AN_ARCHIVE) {
    const those = torrents.slice(from, from + OF_AN_ARCHIVE);
    const files = await oneByOne(those, 'actions.doing.export', async ({ id, name }) => {
      return { name, file: await fetchFile(`/api/torrents/${id}/file`) };
    });
    const [first] = files;
    if (!first) continue;
    if (torrents.length === 1) save(first.file, `${first.name}.torrent`);
    else save((await import('./zip.js')).zipOf(await namedApart(files)), 'torrents.zip');
  }
}

/** Under the names of their torrents, which may be alike, and hold what no name of a file does. */
async function namedApart(
  files: readonly { readonly name: string; readonly file: Blob }[],
): Promise<readonly ZippedFile[]> {
  const taken = new Set<string>();
  const zipped: ZippedFile[] = [];
  for (const { name: shown, file } of files) {
    const plain = shown.replace(/[\p{Cc}"*/:<>?\\|]/gu, '_');
    let name = plain;
    // Some systems take these for one.
    for (let another = 2; taken.has(name.toLowerCase()); another++) name = `${plain} (${another})`;
    taken.add(name.toLowerCase());
    zipped.push({ name: `${name}.torrent`, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  return zipped;
}
