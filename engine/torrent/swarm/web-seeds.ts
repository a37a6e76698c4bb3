// The web seeds of one torrent (BEP 17, BEP 19): which of them are connected as peers, and what their end means for the next
// attempt.
import type { CloseReason } from '../../wire/errors.js';
import { webSeedOutcome, WebSeedRoster, type SeedForm, type WebSeedView } from '../../webseed/index.js';

/** `files`: BEP 19; `pieces`: BEP 17. */
export interface WebSeedsView extends WebSeedView {
  readonly form: SeedForm;
}

export class WebSeeds {
  /** Made when it is first asked for: most torrents rest. */
  #roster: WebSeedRoster | null = null;

  /** A URL that is in both lists is asked for files, which is what servers are. */
  constructor(
    private readonly fileSeeds: readonly string[],
    private readonly pieceSeeds: readonly string[],
  ) {}

  get #hasNone(): boolean {
    return this.fileSeeds.length === 0 && this.pieceSeeds.length === 0;
  }

  /** Whether one might be connected to now. */
  isDue(nowMs: number): boolean {
    if (this.#hasNone) return false;
    this.#roster ??= new WebSeedRoster([...this.fileSeeds, ...this.pieceSeeds]);
    const next = this.#roster.nextAttemptMs();
    return next !== null && next <= nowMs;
  }

  /** False: there are none, or all have sent bad data. */
  get mayServe(): boolean {
    if (this.#hasNone) return false;
    return this.#roster?.views().some(({ state }) => state !== 'banned') ?? true;
  }

  views(): WebSeedsView[] {
    const roster = this.#roster ?? new WebSeedRoster([...this.fileSeeds, ...this.pieceSeeds]);
    return roster.views().map((view) => ({ ...view, form: this.#formOf(view.url) }));
  }

  /** `isBanned`: by another torrent as well. */
  connect(nowMs: number, connect: (url: string, form: SeedForm) => void, isBanned: (url: string) => boolean): void {
    for (let url = this.#roster?.take(nowMs); url; url = this.#roster?.take(nowMs)) {
      if (isBanned(url)) this.#roster?.ban(url);
      else connect(url, this.#formOf(url));
    }
  }

  #formOf(url: string): SeedForm {
    return this.fileSeeds.includes(url) ? 'files' : 'pieces';
  }

  /** Tries web seeds again: the addresses that may be reached have changed. */
  retry(): void {
    this.#roster?.retry();
  }

  /** Bans the web seed, connected or not, for bad data. */
  ban(url: string): void {
    this.#roster?.ban(url);
  }

  onClosed(url: string, reason: CloseReason, detail: string, nowMs: number): void {
    this.#roster?.onEnded(url, webSeedOutcome(reason, detail), nowMs);
  }
}
