// Torrents that are taken over from other programs (docs/operate/import.md): which imports there are, one at a time, by
// administrators alone. Owns how long their reports are kept. Only memory knows of them: what was added is in the store, and an
// import that a restart has ended is begun again.
import { isAbsolute } from 'node:path';
import type { ImportBody, ImportDto, ImportReportDto } from '../../../shared-protocol/dto/imports.js';
import { textOf, type Remark } from '../../../shared-protocol/import-remarks/remark.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { because } from '../../../shared-protocol/reasons.js';
import { isAtOrBelow } from '../../../storage/real-location.js';
import type { Account } from '../../auth/account.js';
import { notFound, RequestError } from '../../errors.js';
import type { ArchiveLease, ImportArchives } from './archive/import-archives.js';
import { openState } from './archive/open-state.js';
import type { ForeignLibrary } from './foreign-torrent.js';
import { ImportRun, type ImportRunDeps } from './import-run.js';
import { settingDto, torrentDto, type ImportedSetting, type ImportedTorrent } from './imported.js';
import { LabelsThere, type LabelsThereDeps } from './labels-there.js';
import { PROGRAMS, runningOn } from './programs.js';
import { reasonOf } from './reason-of.js';
import type { SettingsDeps, SettingsRunDeps } from './settings/settings-run.js';
import { offered } from './settings/offered.js';
import { notOpened, StateDirectory } from './state-directory.js';

/** No spec values: the reports of these are in memory, some hundred bytes for each torrent. */
const MAX_TORRENTS = 200_000;
const MAX_KEPT = 5;

export interface ImportsDeps
  extends Pick<ImportRunDeps, 'engine' | 'engines' | 'quotas' | 'running' | 'library'>, SettingsDeps {
  readonly labels: LabelsThereDeps['labels'];
  readonly archives: Pick<ImportArchives, 'take' | 'folder'>;
  /** Enabled ones of this flavour. */
  readonly accountOf: (id: number) => Account | undefined;
  /** Real directories below which state is read; none: anywhere. */
  readonly importPaths: readonly string[];
  /** Unix seconds. */
  readonly now: () => number;
}

interface Import {
  readonly id: number;
  readonly body: ImportBody;
  readonly ownerId: AccountId;
  readonly source: ForeignLibrary;
  /** null: it is imported from a path. */
  readonly lease: ArchiveLease | null;
  readonly startedAt: number;
  readonly torrents: ImportedTorrent[];
  readonly settings: ImportedSetting[];
  readonly counts: Record<ImportedTorrent['result'], number>;
  state: ImportDto['state'];
  error: Remark | null;
  endedAt: number;
}

export class Imports {
  readonly #imports = new Map<number, Import>();
  #lastId = 0;
  #isBeginning = false;

  constructor(private readonly deps: ImportsDeps) {}

  /** @throws RequestError `PATH_UNUSABLE`, `NOT_FOUND`, `QUOTA_EXCEEDED`; AppError `IMPORT_UNREADABLE`, `IMPORT_IN_USE` */
  async begin(account: Account, body: ImportBody): Promise<ImportDto> {
    const owner = this.deps.accountOf(body.user_id ?? account.id);
    if (!owner) throw notFound('user');
    if (this.#isBeginning || [...this.#imports.values()].some(({ state }) => state === 'running')) {
      throw new RequestError('QUOTA_EXCEEDED', 'import: another one is under way', { of: 'imports' });
    }
    this.#isBeginning = true;
    try {
      const { source, lease } = await this.#open(account, body);
      const { now } = this.deps;
      const one: Import = {
        ...{ id: ++this.#lastId, body, ownerId: owner.id, source, lease, startedAt: now(), endedAt: 0 },
        ...{ torrents: [], settings: [] },
        ...{ counts: { imported: 0, magnet: 0, exists: 0, skipped: 0 }, state: 'running', error: null },
      };
      this.#imports.set(one.id, one);
      for (const { id } of [...this.#imports.values()].slice(0, -MAX_KEPT)) this.#imports.delete(id);
      void this.#run(one, account.id);
      return toDto(one);
    } finally {
      this.#isBeginning = false;
    }
  }

  /** The oldest first. */
  list(): ImportDto[] {
    return [...this.#imports.values()].map(toDto);
  }

  /** @throws RequestError `NOT_FOUND` */
  show(id: number, offset: number, limit: number): ImportReportDto {
    const one = this.#find(id);
    return { ...toDto(one), torrents: one.torrents.slice(offset, offset + limit).map(torrentDto) };
  }

  /** Adds no more of it; what was added stays. One that has ended is forgotten. @throws RequestError `NOT_FOUND` */
  end(id: number): void {
    const one = this.#find(id);
    if (one.state === 'running') one.state = 'cancelled';
    else this.#imports.delete(id);
  }

  async #open(account: Account, body: ImportBody): Promise<Pick<Import, 'source' | 'lease'>> {
    const { archive, from, path } = body;
    if (typeof archive !== 'number') return { source: await this.#openPath(body), lease: null };
    if (path !== undefined) throw new RequestError('BODY_INVALID', 'path: not both a path and an archive');
    const lease = this.deps.archives.take(account.id, archive);
    try {
      const source = await openState(lease.path, (root) => PROGRAMS[from].open(root, this.deps.archives.folder));
      return { source: bounded(source, 'archive'), lease };
    } catch (error) {
      await lease.release(false);
      throw error;
    }
  }

  async #openPath({ from, path, force }: ImportBody): Promise<ForeignLibrary> {
    if (path === undefined) throw new RequestError('BODY_INVALID', 'path: required');
    if (!isAbsolute(path))
      throw new RequestError(
        'PATH_UNUSABLE',
        'path: Enter an absolute path, e.g. /srv/old/qBittorrent.',
        because('PATH_NOT_ABSOLUTE'),
      );
    const root = await StateDirectory.open(path);
    const { importPaths, archives } = this.deps;
    if (importPaths.length > 0 && !importPaths.some((allowed) => isAtOrBelow(root.path, allowed))) {
      throw new RequestError('PATH_UNUSABLE', 'path: lies outside of --import-paths', because('IMPORT_OUTSIDE'));
    }
    const program = PROGRAMS[from];
    const pid = force ? null : await runningOn(root, program);
    if (pid !== null) {
      throw notOpened(
        `path: ${program.name} (process ${pid}) seems to run on it: stop it, or import with force`,
        because('IMPORT_SOURCE_IN_USE', { pid }),
      );
    }
    return bounded(await program.open(root, archives.folder), 'path');
  }

  async #run(one: Import, importerId: AccountId): Promise<void> {
    const { accountOf, labels, savePaths, now } = this.deps;
    const { body, source } = one;
    const importer = () => {
      const account = accountOf(importerId);
      return account?.role === 'admin' ? account : null;
    };
    try {
      const account = importer();
      if (!account) throw new RequestError('FORBIDDEN');
      const common = {
        ...{ ...this.deps, body, source },
        labels: new LabelsThere({ labels, savePaths, account, isDryRun: body.dry_run }),
        isCancelled: () => one.state === 'cancelled',
      };
      const run = new ImportRun({
        ...{ ...common, importer, owner: () => accountOf(one.ownerId) ?? null },
        onTorrent: (torrent) => {
          one.torrents.push(torrent);
          one.counts[torrent.result]++;
        },
      });
      await run.run();
      await this.#bringSettings(one, importer, common);
      if (one.state === 'running') one.state = 'done';
    } catch (error) {
      one.state = 'failed';
      one.error = reasonOf(error);
    } finally {
      await one.lease?.release(!body.dry_run || one.state === 'failed').catch(() => undefined);
      one.endedAt = now();
    }
  }

  async #bringSettings(
    one: Import,
    importer: () => Account | null,
    common: Pick<SettingsRunDeps, keyof SettingsDeps | 'body' | 'source' | 'labels' | 'isCancelled'>,
  ): Promise<void> {
    const [account, owner] = [importer(), this.deps.accountOf(one.ownerId)];
    if (!one.body.settings || one.state !== 'running') return;
    if (!account || !owner) throw new RequestError('FORBIDDEN');
    const onSetting = (setting: ImportedSetting) => void one.settings.push(setting);
    const { runSettings } = await import('./settings/settings-run.js');
    await runSettings({ ...common, importer: account, owner, onSetting });
  }

  #find(id: number): Import {
    const one = this.#imports.get(id);
    if (!one) throw notFound('import');
    return one;
  }
}

function bounded(source: ForeignLibrary, field: string): ForeignLibrary {
  if (source.entries.length > MAX_TORRENTS) {
    throw notOpened(`${field}: more than ${MAX_TORRENTS} torrents`, because('IMPORT_TOO_LARGE', { max: MAX_TORRENTS }));
  }
  return source;
}

function toDto(one: Import): ImportDto {
  const { id, body, ownerId, source, torrents, settings, counts, state, error, startedAt, endedAt } = one;
  const notes = [...source.notes, ...(body.settings ? [] : offered(source.settings))];
  return {
    ...{ id, from: body.from, path: body.path ?? '', user_id: ownerId, dry_run: body.dry_run, state },
    ...{ error: error && textOf(error), notes: notes.map(textOf), remarks: { error, notes } },
    ...{ total: source.entries.length, done: torrents.length, settings: settings.map(settingDto) },
    ...{ imported: counts.imported, magnets: counts.magnet, existed: counts.exists, skipped: counts.skipped },
    ...{ started_at: startedAt, ended_at: endedAt },
  };
}
