// Where a torrent is added that may be on one of several engines already: it is there once, however many accounts add it and
// whenever. An account's torrents are added on its engine; one that another engine has is joined there.
import type { AddTorrentParams, AddTorrentResult } from '../../shared-protocol/commands/adding.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import { sourceId } from '../../shared-protocol/source-id.js';
import { ownNumber, type Routing } from './routing.js';

export class Adds {
  /** Adds that have not been answered, by torrent: where, and when they have. */
  readonly #underWay = new Map<TorrentId, { readonly engine: number; readonly done: Promise<unknown> }>();

  constructor(private readonly to: Routing) {}

  async add(params: AddTorrentParams): Promise<AddTorrentResult> {
    const { engine, params: own } = this.#atHome(params);
    const id = sourceId(params.source);
    // The engine says what is wrong with it.
    if (id === null) return this.#ask(engine, id, own);
    for (let under = this.#underWay.get(id); under && under.engine !== engine; under = this.#underWay.get(id)) {
      await under.done;
    }
    const place = this.to.engineOf(id);
    if (place !== undefined && place !== engine) {
      const there = await this.#addThere(place, id, params);
      if (there) return there;
    }
    return this.#note(id, engine, this.#ask(engine, id, own));
  }

  /** The account's engine, or the one that was chosen for the torrent or has hashed what it is made of. */
  #atHome({ created, on, ...params }: AddTorrentParams): { engine: number; params: AddTorrentParams } {
    if (created === undefined) return { engine: this.to.engineOfAccount(params.ownerId, params.savePath, on), params };
    const { engine, own } = ownNumber(created, this.to);
    return { engine, params: { ...params, created: own } };
  }

  /** null: the engine has it no more. */
  async #addThere(
    engine: number,
    id: TorrentId,
    { created, on, ...params }: AddTorrentParams,
  ): Promise<AddTorrentResult | null> {
    try {
      return await this.#ask(engine, id, { ...params, mustExist: true });
    } catch (error) {
      if (error instanceof AppError && error.code === 'TORRENT_NOT_FOUND') return null;
      throw error;
    }
  }

  /** `id`: null where it is not known. @throws AppError `BUG` for one that says it added another torrent */
  async #ask(engine: number, id: TorrentId | null, params: AddTorrentParams): Promise<AddTorrentResult> {
    const added = await this.to.ask(engine, 'addTorrent', params);
    // What was asked of it would go on with that torrent, which another engine may have.
    const isOther = added.id !== (id ?? added.id) || (this.to.engineOf(added.id) ?? engine) !== engine;
    if (isOther) throw new AppError('BUG', `bug: an engine says it added ${added.id}, which was not asked for`);
    return added;
  }

  async #note<Result>(id: TorrentId, engine: number, adding: Promise<Result>): Promise<Result> {
    const before = this.#underWay.get(id)?.done;
    const noted = { engine, done: Promise.allSettled([before, adding]) };
    this.#underWay.set(id, noted);
    try {
      return await adding;
    } finally {
      if (this.#underWay.get(id) === noted) this.#underWay.delete(id);
    }
  }
}
