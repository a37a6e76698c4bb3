// A TorrentStore that lives in memory, for simulation and unit tests. Behaves like the LMDB one (the same contract suite
// runs over both): what goes in and comes out is copied, so no caller shares bytes with the store.
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { ResumeRow, TorrentRow, TorrentStore } from '../../storage/types.js';

export function createMemoryTorrentStore(): TorrentStore {
  const rows = new Map<TorrentId, TorrentRow>();
  const infos = new Map<TorrentId, Uint8Array>();
  const resumes = new Map<TorrentId, ResumeRow>();
  const claims = new Map<TorrentId, Map<number, Uint8Array>>();
  const paths = new Map<TorrentId, Map<number, Uint8Array>>();
  const metas = new Map<string, Uint8Array>();

  const present = (id: TorrentId): TorrentRow => {
    const row = rows.get(id);
    if (!row) throw new AppError('TORRENT_NOT_FOUND', `torrent ${id}: not in the store`);
    return row;
  };

  const copyParts = (parts: ReadonlyMap<number, Uint8Array> = new Map()) =>
    new Map([...parts].map(([number, bytes]) => [number, new Uint8Array(bytes)]));

  return {
    rows: () => [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).map((row) => structuredClone(row)),
    row: (id) => structuredClone(rows.get(id)),
    async insert(row, infoBytes, resume, pathLists = new Map()) {
      await this.insertWhole({ row, infoBytes, resume, claims: new Map(), pathLists });
    },
    whole(id) {
      const row = rows.get(id);
      if (!row) return undefined;
      const [info, resume] = [copyBytes(infos.get(id)) ?? null, copyResume(resumes.get(id) ?? null)];
      const parts = { claims: copyParts(claims.get(id)), pathLists: copyParts(paths.get(id)) };
      return { row: structuredClone(row), infoBytes: info, resume, ...parts };
    },
    async insertWhole({ row, infoBytes, resume, claims: stored, pathLists }) {
      rows.set(row.id, structuredClone(row));
      setOrDelete(infos, row.id, infoBytes && new Uint8Array(infoBytes));
      setOrDelete(resumes, row.id, copyResume(resume));
      setOrDelete(claims, row.id, stored.size > 0 ? copyParts(stored) : null);
      setOrDelete(paths, row.id, pathLists.size > 0 ? copyParts(pathLists) : null);
    },
    async update(id, change) {
      rows.set(id, structuredClone({ ...present(id), ...change }));
    },
    async remove(id) {
      rows.delete(id);
      infos.delete(id);
      resumes.delete(id);
      claims.delete(id);
      paths.delete(id);
    },
    infoBytes: (id) => copyBytes(infos.get(id)),
    async putInfoBytes(id, bytes) {
      present(id);
      infos.set(id, new Uint8Array(bytes));
    },
    resume: (id) => copyResume(resumes.get(id) ?? null) ?? undefined,
    async putResume(changes) {
      for (const [id, row] of changes) if (rows.has(id)) setOrDelete(resumes, id, copyResume(row));
    },
    claims: (id, part) => copyBytes(claims.get(id)?.get(part)),
    allClaims: (id) => [...(claims.get(id)?.values() ?? [])].map((bytes) => new Uint8Array(bytes)),
    async putClaims(id, part, bytes) {
      present(id);
      const parts = claims.get(id) ?? new Map<number, Uint8Array>();
      claims.set(id, parts.set(part, new Uint8Array(bytes)));
    },
    pathList: (id, number) => copyBytes(paths.get(id)?.get(number)),
    async change(id, { row, claims: changed, resume, pathLists = new Map() }) {
      rows.set(id, structuredClone({ ...present(id), ...row }));
      const parts = claims.get(id) ?? new Map<number, Uint8Array>();
      for (const [part, bytes] of changed) setOrDelete(parts, part, bytes && new Uint8Array(bytes));
      claims.set(id, parts);
      const lists = paths.get(id) ?? new Map<number, Uint8Array>();
      for (const [number, bytes] of pathLists) setOrDelete(lists, number, bytes && new Uint8Array(bytes));
      paths.set(id, lists);
      if (resume) resumes.set(id, copyResume(resume)!);
    },
    meta: (key) => copyBytes(metas.get(key)),
    async putMeta(key, value) {
      metas.set(key, new Uint8Array(value));
    },
    async close() {},
  };
}

function setOrDelete<Key, Value>(map: Map<Key, Value>, key: Key, value: Value | null): void {
  if (value === null) map.delete(key);
  else map.set(key, value);
}

function copyBytes(bytes: Uint8Array | undefined): Uint8Array | undefined {
  return bytes && new Uint8Array(bytes);
}

function copyResume(row: ResumeRow | null): ResumeRow | null {
  return row && { ...structuredClone({ ...row, have: null }), have: new Uint8Array(row.have) };
}
