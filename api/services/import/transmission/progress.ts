// How far a torrent of Transmission is, by its record, and when its files were last seen unchanged. Pure.
import {
  asBytes,
  asDictionary,
  asList,
  asText,
  type BencodeDictionary,
  type BencodeValue,
} from '../../../../shared-protocol/bencode-values.js';
import type { TorrentSource } from '../../../../shared-protocol/commands/adding.js';
import type { RecordedState, RecordedTimes } from '../../../../shared-protocol/recorded-state.js';
import { countOf, readRecord, textOf } from '../record-values.js';

const BLOCK_BYTES = 16 * 1024;

/** Blocks of 16 KiB; older ones wrote `have` for a torrent that is whole. */
export function haveOf(progress: BencodeDictionary): RecordedState['have'] {
  const blocks = asBytes(progress.get('blocks'));
  if (asText(blocks) === 'all' || textOf(progress.get('have')) === 'all') return 'all';
  if (!blocks || asText(blocks) === 'none') return 'none';
  return { of: 'blocks', bits: blocks, count: null };
}

/**
 * Version 4 has the time of the last write; of a file that is not whole, that of when the program was started. 2.2 to 3 have the time
 * of the last check. @throws AppError `IMPORT_UNREADABLE`
 */
export function timesOf(
  progress: BencodeDictionary,
  have: RecordedState['have'],
  source: TorrentSource,
): RecordedTimes | null {
  const written = asList(progress.get('mtimes'));
  if (written) {
    const isWhole = wholeFiles(have, source);
    return { kind: 'exact', seconds: written.map((item, index) => (isWhole(index) && countOf(item)) || null) };
  }
  const checked = asList(progress.get('time-checked'));
  return checked && { kind: 'latest', seconds: checked.map(lastChecked) };
}

/** Files, by index, of which all blocks are there. */
function wholeFiles(have: RecordedState['have'], source: TorrentSource): (index: number) => boolean {
  if (have === 'all') return () => true;
  if (have === 'none' || source.kind !== 'metainfo') return () => false;
  const info = asDictionary(readRecord(source.bytes, 'torrent').get('info'));
  const lengths = asList(info?.get('files'))?.map((file) => countOf(asDictionary(file)?.get('length'))) ?? [
    countOf(info?.get('length')),
  ];
  const isThere = (block: number) => ((have.bits[block >> 3] ?? 0) & (0x80 >> (block & 7))) !== 0;
  let end = 0;
  const whole = lengths.map((length) => {
    const start = end;
    end += length;
    for (let block = Math.floor(start / BLOCK_BYTES); block * BLOCK_BYTES < end; block++)
      if (!isThere(block)) return false;
    return true;
  });
  return (index) => whole[index] ?? false;
}

/** A time, or one that those of the pieces are counted from. */
function lastChecked(value: BencodeValue): number | null {
  const pieces = asList(value);
  if (!pieces) return countOf(value) || null;
  const last = pieces.slice(1).reduce<number>((most, item) => Math.max(most, countOf(item)), 0);
  return last > 0 ? countOf(pieces[0]) + last : null;
}
