// The TorrentStore on LMDB: sub-databases torrents, info, resume, claims, paths and meta of one environment. Writes made in one turn of
// the event loop share a commit. `overlappingSync` is off: with it a write's promise would resolve when the commit is
// visible and before it is on disk; without it LMDB syncs the data, then the meta page, then the promise resolves.
import type { RootDatabase } from 'lmdb';
import { AppError } from '../shared-protocol/errors.js';
import type { TorrentId } from '../shared-protocol/ids.js';
import { commitFailure, isPastUse } from './lmdb-commit.js';
import { openEnvironment } from './lmdb-environment.js';
import { LmdbTable, type TableChange } from './lmdb-table.js';
import { rowEncoding } from './row-encoding.js';
import type { ResumeRow, StoredTorrent, TorrentChange, TorrentRow, TorrentStore } from './types.js';

/** Version 2: rows are JSON. */
const KIND = { name: 'torrent store', version: 2, maxDbs: 16 };

/** lmdb-js's types know `encoder` for an environment only. */
const ROWS = { name: 'torrents', encoder: rowEncoding };

/** Creates what is not there yet. `onPastUse`: it has to be opened anew, by another thread. @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
export function openTorrentStore(dir: string, onPastUse: (reason: AppError) => void = () => undefined): TorrentStore {
  return new LmdbTorrentStore(openEnvironment(dir, KIND), onPastUse);
}

class LmdbTorrentStore implements TorrentStore {
  readonly #torrents: LmdbTable<TorrentRow>;
  readonly #info: LmdbTable<Uint8Array>;
  readonly #resume: LmdbTable<ResumeRow>;
  readonly #claims: LmdbTable<Uint8Array>;
  readonly #paths: LmdbTable<Uint8Array>;
  readonly #meta: LmdbTable<Uint8Array>;

  constructor(
    private readonly root: RootDatabase,
    private readonly onPastUse: (reason: AppError) => void,
  ) {
    this.#torrents = new LmdbTable(root.openDB<TorrentRow, string>(ROWS), asIs);
    this.#info = new LmdbTable(root.openDB<Uint8Array, string>({ name: 'info', encoding: 'binary' }), copyBytes);
    this.#resume = new LmdbTable(root.openDB<ResumeRow, string>({ name: 'resume' }), (row) => ({
      ...row,
      have: copyBytes(row.have),
      ...copyTrusted(row),
      ...copyPartial(row),
    }));
    this.#claims = new LmdbTable(root.openDB<Uint8Array, string>({ name: 'claims', encoding: 'binary' }), copyBytes);
    this.#paths = new LmdbTable(root.openDB<Uint8Array, string>({ name: 'paths', encoding: 'binary' }), copyBytes);
    this.#meta = new LmdbTable(root.openDB<Uint8Array, string>({ name: 'meta', encoding: 'binary' }), copyBytes);
  }

  rows(): Iterable<TorrentRow> {
    return this.#torrents.values();
  }

  row(id: TorrentId): TorrentRow | undefined {
    return this.#torrents.get(id);
  }

  insert(
    row: TorrentRow,
    infoBytes: Uint8Array | null,
    resume: ResumeRow | null,
    pathLists: ReadonlyMap<number, Uint8Array> = new Map(),
  ): Promise<void> {
    return this.insertWhole({ row, infoBytes, resume, claims: new Map(), pathLists });
  }

  whole(id: TorrentId): StoredTorrent | undefined {
    const row = this.#torrents.get(id);
    if (!row) return undefined;
    const [infoBytes, resume] = [this.#info.get(id) ?? null, this.#resume.get(id) ?? null];
    return { row, infoBytes, resume, claims: partsIn(this.#claims, id), pathLists: partsIn(this.#paths, id) };
  }

  insertWhole({ row, infoBytes, resume, claims, pathLists }: StoredTorrent): Promise<void> {
    const parts = (table: LmdbTable<Uint8Array>, stored: ReadonlyMap<number, Uint8Array>) =>
      [...stored].map(([number, bytes]) => table.stage(partKey(row.id, number), copyBytes(bytes)));
    return this.#commit([
      ...this.#stageNoParts(row.id),
      this.#torrents.stage(row.id, structuredClone(row)),
      this.#info.stage(row.id, infoBytes ? copyBytes(infoBytes) : undefined),
      this.#resume.stage(row.id, resume ? copyResume(resume) : undefined),
      ...parts(this.#claims, claims),
      ...parts(this.#paths, pathLists),
    ]);
  }

  async update(id: TorrentId, change: Partial<Omit<TorrentRow, 'id'>>): Promise<void> {
    const row = this.#present(id);
    await this.#commit([this.#torrents.stage(id, structuredClone({ ...row, ...change }))], id);
  }

  remove(id: TorrentId): Promise<void> {
    return this.#commit([
      this.#torrents.stage(id, undefined),
      this.#info.stage(id, undefined),
      this.#resume.stage(id, undefined),
      ...this.#stageNoParts(id),
    ]);
  }

  infoBytes(id: TorrentId): Uint8Array | undefined {
    return this.#info.get(id);
  }

  async putInfoBytes(id: TorrentId, bytes: Uint8Array): Promise<void> {
    this.#present(id);
    await this.#commit([this.#info.stage(id, copyBytes(bytes))], id);
  }

  resume(id: TorrentId): ResumeRow | undefined {
    return this.#resume.get(id);
  }

  async putResume(rows: ReadonlyMap<TorrentId, ResumeRow>): Promise<void> {
    const changes: TableChange[] = [];
    for (const [id, resume] of rows) {
      if (this.#torrents.get(id)) changes.push(this.#resume.stage(id, copyResume(resume)));
    }
    if (changes.length > 0) await this.#commit(changes);
  }

  claims(id: TorrentId, part: number): Uint8Array | undefined {
    return this.#claims.get(partKey(id, part));
  }

  allClaims(id: TorrentId): Uint8Array[] {
    return this.#claims.keysFrom(partKey(id, '')).flatMap((key) => this.#claims.get(key) ?? []);
  }

  async putClaims(id: TorrentId, part: number, bytes: Uint8Array): Promise<void> {
    this.#present(id);
    await this.#commit([this.#claims.stage(partKey(id, part), copyBytes(bytes))], id);
  }

  pathList(id: TorrentId, number: number): Uint8Array | undefined {
    return this.#paths.get(partKey(id, number));
  }

  async change(id: TorrentId, { row, claims, resume, pathLists = new Map() }: TorrentChange): Promise<void> {
    const before = this.#present(id);
    const parts = [...claims].map(([part, bytes]) =>
      this.#claims.stage(partKey(id, part), bytes ? copyBytes(bytes) : undefined),
    );
    const lists = [...pathLists].map(([number, bytes]) =>
      this.#paths.stage(partKey(id, number), bytes ? copyBytes(bytes) : undefined),
    );
    await this.#commit(
      [
        this.#torrents.stage(id, structuredClone({ ...before, ...row })),
        ...parts,
        ...lists,
        ...(resume ? [this.#resume.stage(id, copyResume(resume))] : []),
      ],
      id,
    );
  }

  meta(key: string): Uint8Array | undefined {
    return this.#meta.get(key);
  }

  putMeta(key: string, value: Uint8Array): Promise<void> {
    return this.#commit([this.#meta.stage(key, copyBytes(value))]);
  }

  async close(): Promise<void> {
    await this.root.close();
  }

  /** That nothing of it is stored in parts, whatever was before. */
  #stageNoParts(id: TorrentId): TableChange[] {
    return [this.#claims, this.#paths].flatMap((table) =>
      table.keysFrom(partKey(id, '')).map((key) => table.stage(key, undefined)),
    );
  }

  #present(id: TorrentId): TorrentRow {
    const row = this.#torrents.get(id);
    if (!row) throw new AppError('TORRENT_NOT_FOUND', `torrent ${id}: not in the store`);
    return row;
  }

  /** All changes or none. `dependsOn` names a torrent whose insertion must have succeeded before. */
  async #commit(changes: readonly TableChange[], dependsOn?: TorrentId): Promise<void> {
    try {
      // A child transaction: one that fails is undone alone, not with the others of its commit.
      await this.root.childTransaction(() => {
        if (dependsOn !== undefined && !this.#torrents.isStored(dependsOn)) throw new Error('its torrent is missing');
        for (const change of changes) change.apply();
      });
    } catch (cause) {
      const failure = await commitFailure('torrent store', cause);
      if (isPastUse(this.root)) this.onPastUse(failure);
      throw failure;
    } finally {
      for (const change of changes) change.settle();
    }
  }
}

function partsIn(table: LmdbTable<Uint8Array>, id: TorrentId): Map<number, Uint8Array> {
  const prefix = partKey(id, '');
  const keys = table.keysFrom(prefix);
  return new Map(
    keys.flatMap((key) => {
      const bytes = table.get(key);
      return bytes ? [[Number(key.slice(prefix.length)), bytes] as const] : [];
    }),
  );
}

function partKey(id: TorrentId, part: number | ''): string {
  return `${id}/${part}`;
}

/** A row comes out of its JSON as an object of its own. */
function asIs<Value>(value: Value): Value {
  return value;
}

function copyBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

function copyResume(row: ResumeRow): ResumeRow {
  const have = copyBytes(row.have);
  return { ...row, have, files: structuredClone(row.files), ...copyTrusted(row), ...copyPartial(row) };
}

function copyTrusted({ trusted }: ResumeRow): Pick<ResumeRow, 'trusted'> {
  return trusted ? { trusted: copyBytes(trusted) } : {};
}

function copyPartial({ partial }: ResumeRow): Pick<ResumeRow, 'partial'> {
  return partial ? { partial: partial.map(({ piece, blocks }) => ({ piece, blocks: copyBytes(blocks) })) } : {};
}
