// `torrent-get`: fields of torrents, as objects or as a table. Made as text, a few hundred torrents at a time, so that a
// list of ten thousand holds up no other request.
import { setImmediate as othersRan } from 'node:timers/promises';
import { RequestError } from '../../../errors.js';
import type { ListedTorrent } from '../../../services/library/shares.js';
import { JsonText } from '../json-text.js';
import { inSnakeCase } from '../names.js';
import type { Call, Result } from '../row.js';
import { columnNamed, type NamedColumn } from './columns.js';
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
  const keys = names.map((name) => `${JSON.stringify(name)}:`);
  const parts: (JsonText | string)[] = ['{'];
  if (wantsRecent(call)) {
    const gone = call.services.torrentNumbers.goneFrom(call.principal.account);
    parts.push(`"removed":${JSON.stringify(gone)},`);
  }
  parts.push(`"torrents":[${isTable ? JSON.stringify(names) : ''}`);
  let separator = isTable ? ',' : '';
  let bytes = 0;
  for await (const rows of rowsOf(call, torrentsNamed(call), columns)) {
    const text = Buffer.from(separator + rows.map((row) => (isTable ? tableRow(row) : object(keys, row))).join(','));
    bytes += text.length;
    if (bytes > MAX_ANSWER_BYTES) throw new RequestError('TORRENT_REFUSED', 'ids: too many, the answer is too long');
    parts.push(new JsonText([text]));
    separator = ',';
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

/** The values of some of the torrents each time; never none. */
async function* rowsOf(call: Call, torrents: readonly ListedTorrent[], columns: readonly NamedColumn[]) {
  const isOlder = call.keyOf('isPrivate') === 'isPrivate';
  const count = columns.some(({ needs }) => needs) ? INSPECTED_AT_A_TIME : TORRENTS_AT_A_TIME;
  for (let from = 0; from < torrents.length; from += count) {
    if (from > 0) await othersRan();
    const views = torrents.slice(from, from + count).flatMap((torrent) => viewOf(call, torrent) ?? []);
    await fillIn(views, columns, call.services);
    const rows = views.map((view) => columns.map((column) => valueOf(view, column, isOlder)));
    if (rows.length > 0) yield rows;
  }
}

function valueOf(view: View, { of, needs }: NamedColumn, isOlder: boolean): unknown {
  const value = of(view);
  return needs === undefined || isOlder ? value : inSnakeCase(value);
}

/** Measured: half the time of making an object of each row first. */
function object(keys: readonly string[], row: readonly unknown[]): string {
  let text = '{';
  for (let i = 0; i < keys.length; i++) text += (i === 0 ? '' : ',') + keys[i]! + textOf(row[i]);
  return `${text}}`;
}

function tableRow(row: readonly unknown[]): string {
  return `[${row.map(textOf).join(',')}]`;
}

function textOf(value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : JSON.stringify(value);
}
