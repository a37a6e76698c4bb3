// `torrent-get`: fields of torrents, as objects or as a table. Made as text, a few hundred torrents at a time, so that a
// list of ten thousand holds up no other request.
import { setImmediate as othersRan } from 'node:timers/promises';
import { RequestError } from '../../../errors.js';
import type { ListedTorrent } from '../../../services/library/shares.js';
import { JsonText } from '../json-text.js';
import { inSnakeCase } from '../names.js';
import type { Call, Result } from '../row.js';
import { columnNamed, type NamedColumn } from './columns.js';
import { isLarge, longListText } from './large.js';
import { torrentsNamed, wantsRecent } from './named.js';
import { fillIn, viewOf, type View } from './view.js';

/** Measured: some 3 ms with twenty fields; of those that the engine is asked for some are long. */
const TORRENTS_AT_A_TIME = 500;
const INSPECTED_AT_A_TIME = 50;
/** No spec value: files and peers of ten thousand torrents of the usual sort. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
/** Twice as many as there are: what is asked for twice is answered once. */
const MAX_FIELDS = 200;
const FORMATS: ReadonlySet<unknown> = new Set([undefined, 'objects', 'table']);

/** @throws RequestError `BODY_INVALID` */
export async function getTorrents(call: Call): Promise<Result> {
  const columns = columnsWanted(call);
  const format = call.args.text('format');
  if (!FORMATS.has(format)) throw new RequestError('BODY_INVALID', 'format: expected objects or table');
  const isTable = format === 'table';
  const names = columns.map(({ name }) => call.keyOf(name));
  const writer = isTable ? tableWriter(columns, call) : objectWriter(names, columns, call);
  const parts: (JsonText | string)[] = ['{'];
  if (wantsRecent(call)) {
    const gone = call.services.torrentNumbers.goneFrom(call.principal.account);
    parts.push(`"removed":${JSON.stringify(gone)},`);
  }
  parts.push(`"torrents":[${isTable ? JSON.stringify(names) : ''}`);
  let separator = isTable ? ',' : '';
  let bytes = 0;
  for await (const views of viewsOf(call, torrentsNamed(call), columns)) {
    let text = '';
    for (const view of views) {
      text += separator + (isLarge(view.facts) ? await longRowText(writer, view) : rowText(writer, view));
      separator = ',';
    }
    const part = Buffer.from(text);
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) throw new RequestError('TORRENT_REFUSED', 'ids: too many, the answer is too long');
    parts.push(new JsonText([part]));
  }
  return JsonText.joined(...parts, ']}');
}

/** Unknown ones are left out. */
function columnsWanted({ args }: Call): NamedColumn[] {
  const fields = args.texts('fields');
  if (!fields) throw new RequestError('BODY_INVALID', 'no fields specified');
  if (fields.length > MAX_FIELDS) throw new RequestError('BODY_INVALID', `fields: more than ${MAX_FIELDS}`);
  return [...new Set(fields.flatMap((field) => columnNamed(field) ?? []))];
}

/** Some of the torrents each time, with all that the columns need. */
async function* viewsOf(call: Call, torrents: readonly ListedTorrent[], columns: readonly NamedColumn[]) {
  const areInspected = columns.some(({ needs }) => needs);
  for (let from = 0; from < torrents.length;) {
    if (from > 0) await othersRan();
    const to = areInspected ? endOfFew(torrents, from) : from + TORRENTS_AT_A_TIME;
    const views = torrents.slice(from, to).flatMap((torrent) => viewOf(call, torrent) ?? []);
    await fillIn(views, columns, call.services);
    yield views;
    from = to;
  }
}

/** The place after the next ones: together they have no more details than one that is not large, or it is one by itself. */
function endOfFew(torrents: readonly ListedTorrent[], from: number): number {
  let [to, metadataBytes] = [from, 0];
  do metadataBytes += torrents[to++]!.metadataBytes;
  while (to < Math.min(torrents.length, from + INSPECTED_AT_A_TIME) && !isLarge({ metadataBytes }));
  return to;
}

interface Cell {
  readonly before: string;
  readonly of: (view: View) => unknown;
  /** The value as the dialect writes it. */
  readonly value: (view: View) => unknown;
  /** The value, or items of one that is a list, as the dialect writes it. */
  readonly shown: (value: unknown) => unknown;
}

/** How a row is written: what stands before each value, and the value. */
interface RowWriter {
  readonly cells: readonly Cell[];
  readonly opening: string;
  readonly closing: string;
}

function objectWriter(names: readonly string[], columns: readonly NamedColumn[], call: Call): RowWriter {
  const before = (index: number) => `${index === 0 ? '' : ','}${JSON.stringify(names[index])}:`;
  const cells = columns.map((column, index) => ({
    before: before(index),
    ...cellOf(column, call),
  }));
  return { cells, opening: '{', closing: '}' };
}

function tableWriter(columns: readonly NamedColumn[], call: Call): RowWriter {
  const cells = columns.map((column, index) => ({
    before: index === 0 ? '' : ',',
    ...cellOf(column, call),
  }));
  return { cells, opening: '[', closing: ']' };
}

function cellOf({ of, needs }: NamedColumn, call: Call): Omit<Cell, 'before'> {
  const isOlder = call.keyOf('isPrivate') === 'isPrivate';
  if (needs === undefined || isOlder) return { of, shown: (value) => value, value: of };
  return { of, shown: inSnakeCase, value: (view) => inSnakeCase(of(view)) };
}

/** Measured: half the time of making an object or an array of each row first. */
function rowText({ cells, opening, closing }: RowWriter, view: View): string {
  let text = opening;
  for (const { before, value } of cells) text += before + textOf(value(view));
  return text + closing;
}

/** The same for a torrent whose lists are long. */
async function longRowText({ cells, opening, closing }: RowWriter, view: View): Promise<string> {
  let text = opening;
  for (const { before, of, shown } of cells) {
    const value = of(view);
    text += before + (Array.isArray(value) ? await longListText(value, shown) : textOf(shown(value)));
  }
  return text + closing;
}

function textOf(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return Array.isArray(value) && value.length === 0 ? '[]' : JSON.stringify(value);
}
