// What a torrent of Transmission is: its torrent file, with the trackers as they were edited in it, or a magnet, which version 3 keeps in
// a torrent file without metadata, and 4 as a link in `.magnet`.
import { asBytes, asDictionary } from '../../../../shared-protocol/bencode-values.js';
import { remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { TorrentSource } from '../../../../shared-protocol/commands/adding.js';
import { readRecord, textOf, tiersOf } from '../record-values.js';
import { unreadable } from '../state-directory.js';

/** Pure. @throws AppError `IMPORT_UNREADABLE` */
export function sourceOf(bytes: Uint8Array, file: string): TorrentSource {
  if (file.endsWith('.magnet')) return { kind: 'magnet', uri: Buffer.from(bytes).toString('utf8').trim() };
  const magnet = Buffer.from(bytes).includes('11:magnet-info')
    ? asDictionary(readRecord(bytes, file).get('magnet-info'))
    : null;
  if (!magnet) return { kind: 'metainfo', bytes: Uint8Array.from(bytes) };
  const hash = asBytes(magnet.get('info_hash'));
  if (hash?.length !== 20) throw unreadable(remark('MAGNET_WITHOUT_HASH', { file }));
  const name = textOf(magnet.get('display-name'));
  const trackers = (tiersOf(readRecord(bytes, file).get('announce-list')) ?? []).flat();
  const parts = [
    ...(name ? [`dn=${encodeURIComponent(name)}`] : []),
    ...trackers.map((url) => `tr=${encodeURIComponent(url)}`),
  ];
  return { kind: 'magnet', uri: ['magnet:?xt=urn:btih:' + Buffer.from(hash).toString('hex'), ...parts].join('&') };
}
