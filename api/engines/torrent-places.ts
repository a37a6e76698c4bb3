// Which of several engines has which torrent. A torrent is known by its info hash, so it is in one place: of two engines that have
// it, the one that told of it first; what the other has shows when that one is without it. Pure.
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { TorrentId } from '../../shared-protocol/ids.js';

export class TorrentPlaces {
  readonly #engines = new Map<TorrentId, number>();
  /** Torrents on each engine. */
  readonly #counts = new Map<number, number>();
  /** Facts of torrents that another engine has as well, by engine. */
  readonly #hidden = new Map<TorrentId, Map<number, TorrentFacts>>();
  /** Torrents that were handed to an engine which has not told of them yet. */
  readonly #handedOver = new Set<TorrentId>();
  /** Torrents that an engine had before, and has not named since it began to load again. */
  readonly #unconfirmed = new Map<number, Set<TorrentId>>();

  /** The engine that it is on; undefined: on none that is known. */
  engineOf(id: TorrentId): number | undefined {
    return this.#engines.get(id);
  }

  /** The number of torrents that are shown of an engine, also while it is away. */
  countOf(engine: number): number {
    return this.#counts.get(engine) ?? 0;
  }

  /** Torrents that are on several engines, and so shown once. */
  get hidden(): number {
    return this.#hidden.size;
  }

  /** One engine has handed a torrent over to another, which tells of it in a moment. */
  hand(id: TorrentId, from: number, to: number): void {
    if (this.#engines.get(id) === from) {
      this.#unhide(id, to);
      this.#place(id, to);
      this.#handedOver.add(id);
    } else this.#unhide(id, from);
    this.#unconfirmed.get(from)?.delete(id);
  }

  /** Whether it is shown of an engine that it is still on its way to. */
  isHandedOver(id: TorrentId): boolean {
    return this.#handedOver.has(id);
  }

  /** An engine has a torrent that one which is away had before: it is shown of this one, should that one have it still. */
  takeOver(id: TorrentId, engine: number): void {
    const before = this.#engines.get(id);
    if (before === undefined || before === engine) return;
    this.#unconfirmed.get(before)?.delete(id);
    this.#unhide(id, engine);
    this.#place(id, engine);
  }

  /** An engine tells of a torrent, new or changed. False: another engine has it, and it is not shown. */
  tell(engine: number, facts: TorrentFacts): boolean {
    const { id } = facts;
    const place = this.#engines.get(id);
    if (place !== undefined && place !== engine) {
      const others = this.#hidden.get(id) ?? new Map<number, TorrentFacts>();
      this.#hidden.set(id, others.set(engine, facts));
      return false;
    }
    this.#place(id, engine);
    this.#unconfirmed.get(engine)?.delete(id);
    this.#handedOver.delete(id);
    return true;
  }

  /** A torrent is gone from an engine. `isShown`: it was this one's. `next`: what another engine has of it, which is shown from now on. */
  remove(engine: number, id: TorrentId): { readonly isShown: boolean; readonly next: TorrentFacts | null } {
    if (this.#engines.get(id) !== engine) {
      this.#unhide(id, engine);
      return { isShown: false, next: null };
    }
    this.#unconfirmed.get(engine)?.delete(id);
    const [heir] = this.#hidden.get(id) ?? [];
    if (!heir) {
      this.#place(id, null);
      return { isShown: true, next: null };
    }
    const [next, facts] = heir;
    this.#unhide(id, next);
    this.#place(id, next);
    return { isShown: true, next: facts };
  }

  /** The engine is about to name all it has. */
  beginReload(engine: number): void {
    const own = [...this.#engines].filter(([, place]) => place === engine).map(([id]) => id);
    this.#unconfirmed.set(engine, new Set(own));
    for (const [id, others] of [...this.#hidden]) if (others.has(engine)) this.#unhide(id, engine);
  }

  /** The engine has named all. Returns what other engines have of torrents that it has no more: they are shown from now on. */
  endReload(engine: number): readonly TorrentFacts[] {
    const gone = [...(this.#unconfirmed.get(engine) ?? [])];
    this.#unconfirmed.delete(engine);
    return gone.flatMap((id) => this.remove(engine, id).next ?? []);
  }

  /** `engine`: null where it is on none any more. */
  #place(id: TorrentId, engine: number | null): void {
    const before = this.#engines.get(id);
    if (before !== undefined) this.#counts.set(before, this.countOf(before) - 1);
    if (engine === null) {
      this.#handedOver.delete(id);
      return void this.#engines.delete(id);
    }
    this.#engines.set(id, engine);
    this.#counts.set(engine, this.countOf(engine) + 1);
  }

  #unhide(id: TorrentId, engine: number): void {
    const others = this.#hidden.get(id);
    others?.delete(engine);
    if (others?.size === 0) this.#hidden.delete(id);
  }
}
