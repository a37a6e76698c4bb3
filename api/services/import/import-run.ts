// One import on its way: record after record is read and added, so many at a time, in the order of that program's queue. What is there
// already stays as it is, so an import that was cut off is begun again and goes on. A record that cannot be taken costs itself.
import type { AddTorrentParams } from '../../../shared-protocol/commands/adding.js';
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { ImportBody } from '../../../shared-protocol/dto/imports.js';
import { shownNameBodySchema } from '../../../shared-protocol/dto/torrents.js';
import { AppError, ENGINE_GONE } from '../../../shared-protocol/errors.js';
import { remark, type Remark } from '../../../shared-protocol/import-remarks/remark.js';
import { NEW_LIBRARY_RECORD, type LibraryRecord } from '../../../shared-protocol/library-record.js';
import type { Account } from '../../auth/account.js';
import { RequestError } from '../../errors.js';
import type { Engines } from '../../engines/engines.js';
import { onPath } from '../../engines/placement/on-path.js';
import type { Library } from '../library/library.js';
import type { Quotas } from '../library/quotas.js';
import type { Running } from '../library/running.js';
import type { SavePaths } from '../settings/save-paths.js';
import type { ForeignLibrary, ForeignTorrent } from './foreign-torrent.js';
import type { ImportedTorrent } from './imported.js';
import type { LabelsThere } from './labels-there.js';
import { mappedPath } from '../../../shared-protocol/path-map.js';
import { reasonOf } from './reason-of.js';
import { quoted } from './settings-values.js';
import { unreadable } from './state-directory.js';

/** Commits are shared by what is added at once; each torrent file may be 10 MiB. No spec value. */
const AT_ONCE = 64;

export interface ImportRunDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'addTorrent' | 'readMetainfo'> };
  readonly engines: Pick<Engines, 'nameFor'>;
  readonly savePaths: Pick<SavePaths, 'confine'>;
  readonly quotas: Pick<Quotas, 'within'>;
  readonly running: Pick<Running, 'hasRoom'>;
  readonly library: Pick<Library, 'find'>;
  readonly labels: LabelsThere;
  /** The administrator who imports; null: it is none any more. */
  readonly importer: () => Account | null;
  /** The account that is to own the torrents; null: it is there no more. */
  readonly owner: () => Account | null;
  readonly body: ImportBody;
  readonly source: ForeignLibrary;
  readonly isCancelled: () => boolean;
  readonly onTorrent: (torrent: ImportedTorrent) => void;
}

/** The report of a record so far. */
interface Told {
  readonly record: string;
  name: string;
  savePath: string;
  readonly notes: Remark[];
}

interface Ready {
  readonly told: Told;
  readonly add: () => Promise<Pick<ImportedTorrent, 'infohash' | 'result'> & { readonly name?: string }>;
}

export class ImportRun {
  constructor(private readonly deps: ImportRunDeps) {}

  /** Resolves when all is done or it was cancelled. @throws whatever ends all of it */
  async run(): Promise<void> {
    const { source, isCancelled } = this.deps;
    for (let at = 0; at < source.entries.length && !isCancelled(); at += AT_ONCE) {
      const records = source.entries.slice(at, at + AT_ONCE);
      const read = await Promise.all(records.map((record) => settled(source.read(record))));
      const ready: Ready[] = [];
      for (const [index, outcome] of read.entries()) {
        const told: Told = { record: records[index]!, name: '', savePath: '', notes: [] };
        try {
          if (!outcome.isRead) throw outcome.error;
          ready.push({ told, add: await this.#prepare(outcome.value, told) });
        } catch (error) {
          this.#skip(told, error);
        }
      }
      if (isCancelled()) return;
      await Promise.all(ready.map((one) => this.#add(one)));
    }
  }

  async #add({ told, add }: Ready): Promise<void> {
    try {
      const { infohash, result, name = told.name } = await add();
      const { record, savePath, notes } = told;
      this.deps.onTorrent({ record, infohash, name, save_path: savePath, result, reason: null, notes });
    } catch (error) {
      this.#skip(told, error);
    }
  }

  #skip({ record, name, savePath, notes }: Told, error: unknown): void {
    // The engine is gone: what is left is for another import.
    if (error instanceof AppError && ENGINE_GONE.has(error.code)) throw error;
    const reason = reasonOf(error);
    this.deps.onTorrent({ record, infohash: null, name, save_path: savePath, result: 'skipped', reason, notes });
  }

  async #prepare(torrent: ForeignTorrent, told: Told): Promise<Ready['add']> {
    const { body, savePaths, source, engine } = this.deps;
    const [importer, owner] = [this.deps.importer(), this.deps.owner()];
    if (!importer || !owner) throw new RequestError('FORBIDDEN');
    told.name = torrent.name;
    told.notes.push(...torrent.notes);
    told.savePath = mappedPath(torrent.savePath, body.map);
    if (told.savePath === '') throw unreadable(remark('SAVE_PATH_MISSING'));
    const savePath = await savePaths.confine(importer, told.savePath, 'save_path');
    const mapped = mappedPath(torrent.completePath, body.map);
    const completePath = await savePaths.confine(importer, mapped, 'complete path').catch((error: unknown) => {
      told.notes.push(remark('STAYS_WHEN_COMPLETE', { reason: reasonOf(error) }));
      return '';
    });
    if (body.dry_run) return () => this.#look(torrent);
    const library = await this.#libraryOf(torrent, told, source);
    const { source: from, state, firstLastFirst, forced, rateLimits, incompleteSuffix, sequential } = torrent;
    const isPaused = torrent.paused || body.paused;
    const hasRoom = isPaused || this.deps.running.hasRoom(owner);
    const params: AddTorrentParams = {
      ...{ source: from, savePath, ownerId: owner.id, sequential, firstLastFirst, forceStart: forced, rateLimits },
      ...onPath(this.deps.engines, owner.engine, savePath),
      ...{ recorded: state, takeOver: true, paused: isPaused || !hasRoom },
      library: hasRoom ? library : { ...library, quotaHold: 'active' },
      ...(completePath !== '' && completePath !== savePath && { completePath }),
      ...(incompleteSuffix !== '' && { incompleteSuffix }),
    };
    return async () => {
      const { id, existed } = await this.deps.quotas.within(owner, from, (maxBytes) =>
        engine.client.addTorrent({ ...params, ...(maxBytes === undefined ? {} : { maxBytes }) }),
      );
      const result = existed ? 'exists' : from.kind === 'magnet' ? 'magnet' : 'imported';
      return { infohash: id, result, name: told.name || (this.deps.library.find(id)?.name ?? '') };
    };
  }

  async #look({ source, name }: ForeignTorrent): ReturnType<Ready['add']> {
    if (source.kind === 'magnet')
      return { infohash: /btih:([0-9a-f]{40})/i.exec(source.uri)?.[1] ?? null, result: 'magnet' };
    const found = await this.deps.engine.client.readMetainfo({ bytes: source.bytes, maxFiles: 0 });
    const result = this.deps.library.find(found.id) ? 'exists' : 'imported';
    return { infohash: found.id, result, name: name || found.name };
  }

  async #libraryOf(torrent: ForeignTorrent, told: Told, source: ForeignLibrary): Promise<LibraryRecord> {
    const { labels, body } = this.deps;
    const { ratio, minutes, inactiveMinutes } = torrent.seeding;
    const isFirst = body.first_label_is_category && torrent.category === '';
    const category = isFirst ? (torrent.tags[0] ?? '') : torrent.category;
    const tags = isFirst ? torrent.tags.slice(1) : torrent.tags;
    const hasOwn = [ratio, minutes, inactiveMinutes].some((limit) => limit !== 'inherited');
    const savePath = source.categories.find(({ name }) => name === category)?.savePath ?? '';
    const shown = shownNameBodySchema.shape.name.safeParse(torrent.name);
    if (torrent.name !== '' && !shown.success) told.notes.push(remark('NAME_LEFT', { name: quoted(torrent.name) }));
    return {
      ...NEW_LIBRARY_RECORD,
      ...(torrent.name !== '' && shown.success && shown.data && { name: shown.data }),
      categoryId: await labels.category(category, mappedPath(savePath, body.map), told.notes),
      tagIds: await labels.tags(tags, told.notes),
      ...(hasOwn && {
        seedPolicy: {
          ratioLimit: ratio,
          minutesLimit: minutes,
          inactiveMinutesLimit: inactiveMinutes,
          action: 'inherited',
        },
      }),
    };
  }
}

type Settled<Value> =
  { readonly isRead: true; readonly value: Value } | { readonly isRead: false; readonly error: unknown };

async function settled<Value>(promise: Promise<Value>): Promise<Settled<Value>> {
  return promise.then(
    (value) => ({ isRead: true, value }),
    (error: unknown) => ({ isRead: false, error }),
  );
}
