// Torrents that are made of files of the server (engine/creation/). Owns that one which is to be seeded is added by the rights
// that its account has at that moment. They are kept in memory alone (kept-creations.ts): a restart, of the program or of the
// engine, ends and forgets those under way.
import { dirname, resolve } from 'node:path';
import type { CreationRef, CreationStatus } from '../../../shared-protocol/commands/creations.js';
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { CreateBody, CreationDto } from '../../../shared-protocol/dto/creations.js';
import { AppError, toErrorRecord, type ErrorRecord } from '../../../shared-protocol/errors.js';
import type { AccountId, TorrentId } from '../../../shared-protocol/ids.js';
import { reasonIn } from '../../../shared-protocol/reasons.js';
import { hasPermission, type Account } from '../../auth/account.js';
import { RequestError } from '../../errors.js';
import type { Engines } from '../../engines/engines.js';
import { onPath } from '../../engines/placement/on-path.js';
import type { SavePaths } from '../settings/save-paths.js';
import type { Adding } from './adding.js';
import { KeptCreations } from './kept-creations.js';

type Engine = Pick<EngineClient, 'createTorrent' | 'creationStatus' | 'createdTorrent' | 'endCreation'>;

export interface CreationsDeps {
  readonly engine: { readonly client: Engine };
  readonly savePaths: Pick<SavePaths, 'defaultOf' | 'locate' | 'resolve'>;
  readonly adding: Pick<Adding, 'addCreated'>;
  readonly engines: Pick<Engines, 'nameFor'>;
  /** Enabled ones of this flavour. */
  readonly accountOf: (id: number) => Account | undefined;
  /** In torrent files, unless the account says otherwise. */
  readonly programName: string;
  /** Unix seconds. */
  readonly now: () => number;
}

/** At the engine that has it. */
interface Running {
  readonly client: Engine;
  readonly ref: CreationRef;
}

interface Creation {
  readonly id: number;
  readonly accountId: AccountId;
  /** The engine that was chosen by the path; null: that of the account. */
  readonly on: string | null;
  readonly body: CreateBody;
  readonly createdAt: number;
  status: CreationStatus;
  /** null: the engine has it no more. */
  running: Running | null;
  /** null: it has not ended well. */
  torrentBytes: Uint8Array | null;
  torrentId: TorrentId | null;
  error: ErrorRecord | null;
  /** 0 while it is under way. */
  expiresAt: number;
}

export class Creations {
  readonly #kept: KeptCreations<Creation>;

  constructor(private readonly deps: CreationsDeps) {
    this.#kept = new KeptCreations(deps.now);
  }

  /** @throws RequestError `FORBIDDEN`, `PATH_UNUSABLE`, `QUOTA_EXCEEDED`; AppError `CREATE_NOT_ALLOWED`, `CREATE_REFUSED`, `TRACKER_INVALID` */
  async begin(asking: Account, body: CreateBody): Promise<CreationDto> {
    const { engine, engines, savePaths, now } = this.deps;
    const wanted = resolve(savePaths.defaultOf(asking), body.path);
    const { on = null } = onPath(engines, asking.engine, wanted);
    const account = on === null ? asking : { ...asking, engine: on };
    const { path, realPath } = await savePaths.locate(account, on === null ? body.path : wanted, 'path');
    if (body.seed) await savePaths.resolve(account, dirname(path), '', 'path');
    const { client } = engine;
    const { id: accountId } = account;
    const creation = await this.#kept.begin(accountId, async (nextId) => {
      const creating = client.createTorrent({
        accountId,
        path: realPath,
        pieceLength: body.piece_length ?? null,
        isPrivate: body.private,
        padFiles: body.pad_files,
        source: body.source,
        trackers: body.trackers.filter((tier) => tier.length > 0),
        webSeeds: body.web_seeds,
        comment: body.comment,
        createdBy: body.created_by ?? this.deps.programName,
        isToSeed: body.seed,
        ...(on !== null && { on }),
      });
      const ref = await creating.catch((error: unknown) => {
        throw namedAs(path, error);
      });
      return {
        ...{ id: nextId(), accountId, on, body: { ...body, path }, createdAt: now(), status: NOT_BEGUN },
        ...{ running: { client, ref }, torrentBytes: null, torrentId: null, error: null, expiresAt: 0 },
      };
    });
    if (creation.running) void this.#follow(creation, creation.running);
    return toDto(creation);
  }

  /** The oldest first. `accountId`: whose; null: everybody's. */
  async list(accountId: AccountId | null): Promise<CreationDto[]> {
    const shown = this.#kept.of(accountId);
    await Promise.all(shown.map((creation) => this.#refresh(creation)));
    return shown.map(toDto);
  }

  /** @throws RequestError `NOT_FOUND` */
  async show(id: number, accountId: AccountId | null): Promise<CreationDto> {
    const creation = this.#kept.find(id, accountId);
    await this.#refresh(creation);
    return toDto(creation);
  }

  /** With the name that it is to be saved by. @throws RequestError `NOT_FOUND`; AppError `CREATION_NOT_DONE` */
  torrentFile(id: number, accountId: AccountId | null): { readonly name: string; readonly bytes: Uint8Array } {
    const { torrentBytes, body } = this.#kept.find(id, accountId);
    if (!torrentBytes) throw new AppError('CREATION_NOT_DONE', 'creation: there is no torrent file, or not yet');
    return { name: `${body.path}.torrent`, bytes: torrentBytes };
  }

  /** Ends and forgets it; a torrent that was added stays. @throws RequestError `NOT_FOUND` */
  async end(id: number, accountId: AccountId | null): Promise<void> {
    await this.#drop(this.#kept.find(id, accountId));
  }

  /** The account is gone, or may do less than before. */
  async onAccountChanged(id: AccountId): Promise<void> {
    if (this.#mayCreate(id)) return;
    await Promise.all(this.#kept.of(id).map((own) => this.#drop(own)));
  }

  /** Until it has ended, been forgotten, or its engine has gone. Never rejects. */
  async #follow(creation: Creation, { client, ref }: Running): Promise<void> {
    try {
      for (;;) {
        const status = await client.creationStatus({ ...ref, wait: true });
        if (!this.#kept.has(creation)) return;
        creation.error = status.error;
        if (status.state === 'done') {
          await this.#finish(creation, status, client, ref);
          break;
        }
        creation.status = status;
        if (status.state === 'failed') break;
      }
    } catch (error) {
      creation.error = toRecord(error);
      if (!creation.torrentBytes) creation.status = { ...creation.status, state: 'failed' };
    }
    creation.running = null;
    this.#kept.end(creation);
    // One that is away has forgotten it already.
    await client.endCreation(ref).catch(() => undefined);
  }

  /** Called when it is hashed: shown as done once it seeds, where it is to. */
  async #finish(creation: Creation, status: CreationStatus, client: Engine, ref: CreationRef): Promise<void> {
    creation.torrentBytes = await client.createdTorrent(ref);
    try {
      if (creation.body.seed && this.#kept.has(creation)) await this.#seed(creation, creation.torrentBytes, ref);
    } finally {
      creation.status = status;
    }
  }

  async #seed(creation: Creation, bytes: Uint8Array, ref: CreationRef): Promise<void> {
    const { accountId, body, on } = creation;
    const owner = this.#mayCreate(accountId);
    if (!owner) throw new RequestError('FORBIDDEN');
    const account = on === null ? owner : { ...owner, engine: on };
    const beginning = { save_path: dirname(body.path), category_id: body.category_id };
    creation.torrentId = await this.deps.adding.addCreated(account, bytes, beginning, ref);
  }

  /** How far it is at this moment. */
  async #refresh(creation: Creation): Promise<void> {
    const { running } = creation;
    if (!running) return;
    const status = await running.client.creationStatus(running.ref).catch(() => null);
    // What it ends with is for who follows it to say.
    if (!status || !creation.running || creation.torrentBytes) return;
    if (status.state !== 'done' && status.state !== 'failed') creation.status = status;
  }

  async #drop(creation: Creation): Promise<void> {
    this.#kept.delete(creation);
    const { running } = creation;
    creation.running = null;
    await running?.client.endCreation(running.ref).catch(() => undefined);
  }

  #mayCreate(id: AccountId): Account | null {
    const account = this.deps.accountOf(id);
    return account && hasPermission(account, 'perm_add_torrents') ? account : null;
  }
}

const NOT_BEGUN: CreationStatus = {
  state: 'waiting',
  bytesDone: 0,
  bytesTotal: 0,
  files: 0,
  pieceLength: 0,
  id: null,
  error: null,
};

/** The error as the account is told; the codes of the API's own refusals are not among those that cross threads. */
function toRecord(error: unknown): ErrorRecord {
  if (!(error instanceof RequestError)) return toErrorRecord(error);
  const message = error.code === 'FORBIDDEN' ? 'forbidden' : error.message;
  return { code: 'CREATE_REFUSED', message, data: error.data };
}

function toDto({ id, accountId, body, createdAt, status, torrentId, error, expiresAt }: Creation): CreationDto {
  return {
    id,
    user_id: accountId,
    path: body.path,
    state: status.state,
    bytes_done: status.bytesDone,
    bytes_total: status.bytesTotal,
    files: status.files,
    piece_length: status.pieceLength,
    infohash: status.id,
    torrent_id: torrentId,
    error: error && (error.code === 'BUG' ? 'internal error' : error.message),
    code: error?.code ?? null,
    reason: error && reasonIn(error.data),
    created_at: createdAt,
    expires_at: expiresAt,
  };
}

/** Whatever of the path the engine has found no file or folder at, the account is told of the path that it gave. */
function namedAs(path: string, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'CREATE_REFUSED') return error;
  const { why, ...facts } = error.data ?? {};
  return typeof why === 'string' ? new AppError('CREATE_REFUSED', `path: ${path} ${why}`, { ...facts, path }) : error;
}
