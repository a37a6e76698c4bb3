// Who of a torrent's peers sends what is not the torrent's (docs/limits.md 2.13, as libtorrent has it): points for
// pieces that passed and failed, parole for peers that had a part in a failure, and a verdict where guilt is certain.
// Pure.
//
// A failure counts for good only when it cannot be cleared up any more: an honest peer may have a part in any number of
// pieces that others spoilt, and gets its points back for each of them.
import type { PeerKey } from '../../picker/types.js';
import { FailedPieces, type Findings } from './smart-ban.js';

const MAX_POINTS = 8;
/** libtorrent: "we decrease more than we increase". */
const POINTS_FOR_FAILURE = 2;
const BAN_AT_POINTS = -7;
/** Good pieces after which a peer speaks for the address that it shares with others. */
const PROVEN_AFTER_PIECES = 2;
/** Peers that left after they had sent something; they may have blocks in pieces that fail later, or come back. */
const MAX_GONE = 256;

/** `sole-source`: all of a failed piece was its. `distrust`: too many failures that could not be cleared up. */
export type BanGround = 'sole-source' | 'wrong-block' | 'two-versions' | 'distrust';

export interface Suspect<W> {
  readonly who: W;
  /** The same for the same peer after it has come back. */
  readonly identity: string;
  /** The key of the suspect's latest connection. */
  key: PeerKey;
  points: number;
  onParole: boolean;
  goodPieces: number;
  /** Failures it had a part in that may be cleared up yet. */
  open: number;
  isBanned: boolean;
}

export interface Outcome<W> {
  readonly verdicts: readonly { readonly suspect: Suspect<W>; readonly ground: BanGround }[];
  /** Suspects whose parole began or ended. */
  readonly changed: readonly Suspect<W>[];
  /** Suspects that have just shown themselves to be good. */
  readonly proven: readonly Suspect<W>[];
}

const NOTHING: Outcome<never> = { verdicts: [], changed: [], proven: [] };

export class TrustPoints<W> {
  readonly #here = new Map<PeerKey, Suspect<W>>();
  /** The longest gone first. */
  readonly #gone = new Map<PeerKey, Suspect<W>>();
  readonly #failed: FailedPieces<Suspect<W>>;

  constructor(failed = new FailedPieces<Suspect<W>>()) {
    this.#failed = failed;
  }

  /** Whether it is on parole from the start: it was when it left, or `isSuspicious`. */
  join(key: PeerKey, who: W, identity: string, isSuspicious: boolean): boolean {
    let suspect = [...this.#gone.values()].find((gone) => gone.identity === identity);
    suspect ??= { who, identity, key, points: 0, onParole: isSuspicious, goodPieces: 0, open: 0, isBanned: false };
    suspect.key = key;
    this.#here.set(key, suspect);
    return suspect.onParole;
  }

  leave(key: PeerKey, hasSent: boolean): void {
    const suspect = this.#here.get(key);
    this.#here.delete(key);
    if (!suspect || !hasSent) return;
    this.#gone.set(key, suspect);
    const [oldest] = this.#gone.keys();
    if (this.#gone.size > MAX_GONE && oldest !== undefined) this.#gone.delete(oldest);
  }

  /** The piece's next success tells who spoilt it, if the digests of its blocks are known then. */
  isAwaiting(piece: number): boolean {
    return this.#failed.has(piece);
  }

  /** `senders` of each block, `digests` of all of them; null when they could not be had. */
  onPieceFailed(piece: number, senders: Int32Array, digests: Uint8Array | null): Outcome<W> {
    const suspects = Array.from(senders, (key) => this.#find(key) ?? null);
    const sources = new Set(suspects.filter((suspect) => suspect !== null));
    const verdict = new Verdict<W>();
    for (const suspect of sources) {
      suspect.points = Math.max(BAN_AT_POINTS, suspect.points - POINTS_FOR_FAILURE);
      verdict.setParole(suspect, true);
    }
    const [sole] = sources;
    if (sole && sources.size === 1 && !suspects.includes(null)) verdict.ban(sole, 'sole-source');
    else if (digests) {
      for (const suspect of sources) suspect.open++;
      this.#settle(this.#failed.onFailed(piece, { senders: suspects, digests }), 'two-versions', verdict);
    }
    verdict.banDistrusted(sources);
    return verdict;
  }

  /** `digests` only matters when the piece {@link isAwaiting}. */
  onPiecePassed(piece: number, sources: readonly PeerKey[], digests: Uint8Array | null): Outcome<W> {
    let verdict: Verdict<W> | null = null;
    if (this.#failed.has(piece)) {
      verdict = new Verdict<W>();
      const findings = digests ? this.#failed.onPassed(piece, digests) : this.#failed.forget(piece);
      this.#settle(findings, 'wrong-block', verdict, digests !== null);
    }
    for (const key of sources) {
      const suspect = this.#find(key);
      if (!suspect) continue;
      suspect.points = Math.min(MAX_POINTS, suspect.points + 1);
      suspect.goodPieces++;
      if (suspect.goodPieces === PROVEN_AFTER_PIECES) (verdict ??= new Verdict<W>()).proven.push(suspect);
      // Parole ends with a whole piece of its own, once nothing is held against it.
      if (suspect.onParole && sources.length === 1 && suspect.open === 0)
        (verdict ??= new Verdict<W>()).setParole(suspect, false);
    }
    return verdict ?? NOTHING;
  }

  #find(key: PeerKey): Suspect<W> | undefined {
    return this.#here.get(key) ?? this.#gone.get(key);
  }

  /** `areCleared`: peers that are not guilty are innocent. */
  #settle(findings: Findings<Suspect<W>>, ground: BanGround, verdict: Verdict<W>, areCleared = false): void {
    for (const suspect of findings.guilty) verdict.ban(suspect, ground);
    for (const partakers of findings.settled) {
      for (const suspect of partakers) {
        suspect.open--;
        if (areCleared) suspect.points = Math.min(MAX_POINTS, suspect.points + POINTS_FOR_FAILURE);
      }
      verdict.banDistrusted(partakers);
    }
  }
}

class Verdict<W> implements Outcome<W> {
  readonly verdicts: { readonly suspect: Suspect<W>; readonly ground: BanGround }[] = [];
  readonly changed: Suspect<W>[] = [];
  readonly proven: Suspect<W>[] = [];

  ban(suspect: Suspect<W>, ground: BanGround): void {
    if (suspect.isBanned) return;
    suspect.isBanned = true;
    this.verdicts.push({ suspect, ground });
  }

  banDistrusted(suspects: ReadonlySet<Suspect<W>>): void {
    for (const suspect of suspects)
      if (suspect.points <= BAN_AT_POINTS && suspect.open === 0) this.ban(suspect, 'distrust');
  }

  setParole(suspect: Suspect<W>, onParole: boolean): void {
    if (suspect.onParole === onParole) return;
    suspect.onParole = onParole;
    this.changed.push(suspect);
  }
}
