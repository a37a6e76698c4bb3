// Entry of the thread that reads one copy of `torrents.db` and is then ended. Only a plain table is read, and of it whole rows without
// an index: no view, virtual table or expression of a stranger's is ever worked out. SQLite is that of node-sqlite3-wasm: WebAssembly that
// needs no compiler, 1.3 MB (sql.js is 30); Node 20 has none of its own.
import { parentPort, workerData } from 'node:worker_threads';
import sqlite from 'node-sqlite3-wasm';
import { messageOf } from '../../../../shared-protocol/errors.js';
import type { DatabaseReply, DatabaseRow } from './torrent-database.js';

const MAX_TORRENTS = 200_000;
/** The columns of qBittorrent 4.4 to 5; older ones lack some. */
const COLUMNS = [
  ...['torrent_id', 'queue_position', 'name', 'category', 'tags', 'target_save_path', 'download_path'],
  ...['ratio_limit', 'seeding_time_limit', 'inactive_seeding_time_limit', 'has_outer_pieces_priority'],
  ...['operating_mode', 'stopped', 'libtorrent_resume_data', 'metadata'],
];
const NEEDED = ['torrent_id', 'libtorrent_resume_data'];

function read(path: string): DatabaseReply {
  const database = new sqlite.Database(path, { readOnly: true, fileMustExist: true });
  try {
    const [table, ...others] = database.all("SELECT type, sql FROM sqlite_schema WHERE lower(name) = 'torrents'");
    const isPlain = table?.['type'] === 'table' && /^CREATE TABLE\b/i.test(String(table['sql']));
    if (!isPlain || others.length > 0) return { kind: 'refused', reason: 'there is no table of torrents in it' };
    const columns = database.all("SELECT name, hidden FROM pragma_table_xinfo('torrents')");
    if (columns.some(({ hidden }) => hidden !== 0))
      return { kind: 'refused', reason: 'its table of torrents is none of qBittorrent' };
    const present = new Set(columns.map(({ name }) => name));
    const missing = NEEDED.find((name) => !present.has(name));
    if (missing !== undefined) return { kind: 'refused', reason: `its torrents have no ${missing}` };
    const wanted = COLUMNS.filter((name) => present.has(name)).map((name) => `"${name}"`);
    const rows = database.all(`SELECT ${wanted.join(', ')} FROM torrents NOT INDEXED LIMIT ${MAX_TORRENTS + 1}`);
    if (rows.length > MAX_TORRENTS) return { kind: 'refused', reason: `more than ${MAX_TORRENTS} torrents` };
    // What `all` gives without `expand`: a row is flat.
    return { kind: 'rows', rows: rows as readonly DatabaseRow[] };
  } finally {
    database.close();
  }
}

function reasonOf(error: unknown): string {
  return `is damaged (${messageOf(error)})`;
}

if (!parentPort) throw new Error('bug: databases are read in a worker thread');
let reply: DatabaseReply;
try {
  reply = read(String(workerData));
} catch (error) {
  reply = { kind: 'refused', reason: reasonOf(error) };
}
parentPort.postMessage(reply);
