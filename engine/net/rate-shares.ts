// Who may move bytes next under limits: a bucket for all torrents, one for each group of them (an account's), one for each
// torrent, and fair turns among torrents and among a torrent's clients. A client that is let go is promised some bytes (`credit`); what it has not used after
// one step others may have, so no client holds what it does not need. See rate-limiter.ts for the face of this.
//
// Invariants: a client waits, holds credit, or neither; a torrent with waiting clients is in exactly one of `#torrents`
// and `#full`; a bucket's reserved bytes are the credit held under it; the timer runs if and only if a client waits.
import { BLOCK_SIZE_BYTES, SECOND_MS, type Clock, type Timer } from '../environment.js';
import { RateBucket } from './rate-bucket.js';
import { FairQueue, type FairItem } from './rate-fair-queue.js';

/** Waiting clients are looked at this often: short enough not to be felt, long enough to cost nothing. */
export const RATE_STEP_MS = 50;
/** The least that is promised, so that one that hardly moves anything does not ask all the time. */
const MIN_CREDIT_BYTES = 1024;
/** A turn while others wait: a block for a slow limit, a full run of uploads (32 blocks) for a fast one. */
const MIN_TURN_BYTES = BLOCK_SIZE_BYTES;
const MAX_TURN_BYTES = 32 * BLOCK_SIZE_BYTES;

/** Torrents that have a limit in common. */
export class RateGroup {
  readonly bucket = new RateBucket();
  /** Clients of its torrents that wait. */
  waiting = 0;
}

export class TorrentShare implements FairItem {
  heapIndex = -1;
  served = 0;
  turn = 0;
  closed = false;
  group: RateGroup | null = null;
  readonly bucket = new RateBucket();
  readonly waiting = new FairQueue<ClientShare>();
}

export class ClientShare implements FairItem {
  heapIndex = -1;
  served = 0;
  turn = 0;
  closed = false;
  /** Promised and not yet moved. */
  credit = 0;
  creditAtMs = 0;
  /** Moved since it was last let go. */
  moved = 0;
  /** Bytes that it is likely to use when let go: grows while it uses up its credit, and shrinks once it does not. */
  appetite = MIN_TURN_BYTES;

  constructor(
    readonly torrent: TorrentShare,
    readonly onReady: () => void,
  ) {}
}

export class RateShares {
  readonly bucket = new RateBucket();
  /** Torrents whose clients wait for the global limit. */
  readonly #torrents = new FairQueue<TorrentShare>();
  /** Torrents whose clients wait for the torrent's own limit. */
  readonly #full = new Set<TorrentShare>();
  /** Clients with credit, the oldest first. */
  readonly #credited = new Set<ClientShare>();
  #waiting = 0;
  #timer: Timer | null = null;
  #serving = false;
  #serveAgain = false;

  constructor(private readonly clock: Pick<Clock, 'nowMs' | 'after'>) {}

  isLimited(torrent: TorrentShare): boolean {
    return torrent.bucket.isLimited || this.#isShared(torrent);
  }

  /** Whether the torrent has a limit in common with others. */
  #isShared({ group }: TorrentShare): boolean {
    return this.bucket.isLimited || (group !== null && group.bucket.isLimited);
  }

  /** Whether the client may move bytes now; if not it waits, and will be called. Only for a limited torrent. */
  ask(client: ClientShare): boolean {
    const { torrent } = client;
    if (client.closed || torrent.closed) return false;
    if (client.credit > 0) return true;
    if (torrent.waiting.has(client)) return false;
    const nowMs = this.clock.nowMs();
    this.#expire(nowMs);
    this.#refill(torrent, nowMs);
    torrent.waiting.catchUp(client, this.#bytesPerStep(torrent));
    // A torrent at its own limit is not kept from anything, so the others need not queue behind it.
    const othersWait =
      torrent.waiting.size > 0 ||
      (this.bucket.isLimited && this.#torrents.size > 0) ||
      (torrent.group !== null && torrent.group.bucket.isLimited && torrent.group.waiting > 0);
    if (!othersWait && this.#room(torrent) >= MIN_CREDIT_BYTES) {
      if (this.#isShared(torrent)) this.#torrents.catchUp(torrent, this.#bytesPerStep(torrent));
      this.#credit(client, nowMs);
      return true;
    }
    torrent.waiting.push(client);
    this.#countWaiting(torrent, 1);
    if (torrent.waiting.size === 1) this.#lineUp(torrent);
    this.#schedule();
    return false;
  }

  /** Counts moved bytes, promised or not. */
  charge(client: ClientShare, bytes: number): void {
    const { torrent } = client;
    if (client.closed || torrent.closed || !this.isLimited(torrent)) return;
    this.#refill(torrent, this.clock.nowMs());
    this.#take(torrent, bytes);
    client.moved += bytes;
    const promised = Math.min(client.credit, bytes);
    this.#reserve(client, -promised);
    if (promised > 0 && client.credit === 0) {
      this.#credited.delete(client);
      client.appetite = Math.max(client.appetite, 2 * client.moved);
    }
    this.#correct(client, bytes - promised);
  }

  /** Takes back part of what was charged. */
  refund(client: ClientShare, bytes: number): void {
    const { torrent } = client;
    if (client.closed || torrent.closed || !this.isLimited(torrent)) return;
    this.#refill(torrent, this.clock.nowMs());
    this.#take(torrent, -bytes);
    this.#correct(client, -bytes);
  }

  /** `of` null: the limit of all torrents. @param bytesPerSec 0 for none */
  setLimit(of: TorrentShare | RateGroup | null, bytesPerSec: number): void {
    const bucket = of ? of.bucket : this.bucket;
    const limit = bytesPerSec > 0 && bytesPerSec < Infinity ? bytesPerSec : 0;
    if (limit === bucket.bytesPerSec || (of instanceof TorrentShare && of.closed)) return;
    // What was promised was promised under the old limit.
    for (const client of this.#credited) {
      if (!of || client.torrent === of || client.torrent.group === of) this.#revoke(client);
    }
    if (limit > 0) bucket.setRate(limit, this.clock.nowMs());
    else bucket.clearRate();
    this.#serve();
  }

  /** The torrent's bytes count for this group from now on, and for no other. */
  join(torrent: TorrentShare, group: RateGroup | null): void {
    if (torrent.closed || torrent.group === group) return;
    for (const client of this.#credited) if (client.torrent === torrent) this.#revoke(client);
    const { size } = torrent.waiting;
    this.#countWaiting(torrent, -size);
    torrent.group = group;
    this.#countWaiting(torrent, size);
    this.#serve();
  }

  closeClient(client: ClientShare): void {
    if (client.closed) return;
    client.closed = true;
    this.#revoke(client);
    const { torrent } = client;
    if (!torrent.waiting.has(client)) return;
    torrent.waiting.remove(client);
    this.#countWaiting(torrent, -1);
    if (torrent.waiting.size === 0) this.#leaveLine(torrent);
    this.#schedule();
  }

  closeTorrent(torrent: TorrentShare): void {
    if (torrent.closed) return;
    torrent.closed = true;
    for (const client of this.#credited) if (client.torrent === torrent) this.#revoke(client);
    this.#countWaiting(torrent, -torrent.waiting.size);
    while (torrent.waiting.pop());
    this.#leaveLine(torrent);
    this.#schedule();
  }

  /** Lets go the clients that may. Callbacks may do anything, also change limits: then all are looked at once more. */
  #serve(): void {
    this.#serveAgain = true;
    if (this.#serving) return;
    this.#serving = true;
    try {
      while (this.#serveAgain) {
        this.#serveAgain = false;
        this.#serveOnce(this.clock.nowMs());
      }
    } finally {
      this.#serving = false;
      this.#schedule();
    }
  }

  #serveOnce(nowMs: number): void {
    this.#expire(nowMs);
    this.bucket.refill(nowMs);
    for (const torrent of this.#full) {
      this.#refill(torrent, nowMs);
      if (ownRoom(torrent) < 1) continue;
      this.#full.delete(torrent);
      // One that waited for its group was not away: whose turn it is there must not be forgotten because others are faster.
      if (torrent.group?.bucket.isLimited) this.#torrents.push(torrent);
      else this.#lineUp(torrent);
    }
    while (this.bucket.room >= 1) {
      const torrent = this.#torrents.pop();
      if (!torrent) return;
      if (ownRoom(torrent) < 1) {
        this.#full.add(torrent);
        continue;
      }
      const client = torrent.waiting.pop();
      if (!client) throw new Error('bug: a torrent is in line without a waiting client');
      this.#countWaiting(torrent, -1);
      if (this.isLimited(torrent)) this.#credit(client, nowMs);
      if (torrent.waiting.size > 0) this.#torrents.push(torrent);
      client.onReady();
    }
  }

  #lineUp(torrent: TorrentShare): void {
    if (ownRoom(torrent) < 1) return void this.#full.add(torrent);
    this.#torrents.catchUp(torrent, this.#bytesPerStep(torrent));
    this.#torrents.push(torrent);
  }

  #leaveLine(torrent: TorrentShare): void {
    this.#torrents.remove(torrent);
    this.#full.delete(torrent);
  }

  /** Promises bytes: what there is, no more than it is likely to use, and while others wait no more than its turn. */
  #credit(client: ClientShare, nowMs: number): void {
    const { torrent } = client;
    const bytes = Math.floor(Math.min(this.#room(torrent), client.appetite, this.#turnBytes(client)));
    client.moved = 0;
    client.creditAtMs = nowMs;
    this.#reserve(client, bytes);
    torrent.waiting.serve(client, bytes);
    if (this.#isShared(torrent)) this.#torrents.serve(torrent, bytes);
    this.#credited.add(client);
  }

  /** One that was given less than the next client may draw level at once: it may be away when the next turn comes. */
  #turnBytes(client: ClientShare): number {
    const { torrent } = client;
    const fair = this.#bytesPerStep(torrent) / (this.#waiting + 1);
    const turn = Math.min(MAX_TURN_BYTES, Math.max(MIN_TURN_BYTES, fair));
    const nextClient = torrent.waiting.peek();
    const nextTorrent = this.#isShared(torrent) ? this.#torrents.peek() : undefined;
    return Math.min(
      nextClient ? Math.max(turn, nextClient.served - client.served) : Infinity,
      nextTorrent ? Math.max(turn, nextTorrent.served - torrent.served) : Infinity,
    );
  }

  #expire(nowMs: number): void {
    for (const client of this.#credited) {
      if (nowMs - client.creditAtMs < RATE_STEP_MS) return;
      client.appetite = Math.max(MIN_CREDIT_BYTES, 2 * client.moved);
      this.#revoke(client);
    }
  }

  #revoke(client: ClientShare): void {
    if (!this.#credited.delete(client)) return;
    const unused = client.credit;
    this.#reserve(client, -unused);
    this.#correct(client, -unused);
  }

  #reserve(client: ClientShare, bytes: number): void {
    client.credit += bytes;
    client.torrent.bucket.reserve(bytes);
    client.torrent.group?.bucket.reserve(bytes);
    this.bucket.reserve(bytes);
  }

  #correct(client: ClientShare, bytes: number): void {
    if (bytes === 0) return;
    client.torrent.waiting.correct(client, bytes);
    if (this.#isShared(client.torrent)) this.#torrents.correct(client.torrent, bytes);
  }

  #refill(torrent: TorrentShare, nowMs: number): void {
    this.bucket.refill(nowMs);
    torrent.group?.bucket.refill(nowMs);
    torrent.bucket.refill(nowMs);
  }

  #take(torrent: TorrentShare, bytes: number): void {
    this.bucket.take(bytes);
    torrent.group?.bucket.take(bytes);
    torrent.bucket.take(bytes);
  }

  #room(torrent: TorrentShare): number {
    return Math.min(this.bucket.room, ownRoom(torrent));
  }

  #countWaiting({ group }: TorrentShare, clients: number): void {
    this.#waiting += clients;
    if (group) group.waiting += clients;
  }

  /** Bytes that the tighter limit allows in one step, at least a turn. */
  #bytesPerStep(torrent: TorrentShare): number {
    const limits = [this.bucket, torrent.bucket, torrent.group?.bucket].map(
      (bucket) => bucket?.bytesPerSec || Infinity,
    );
    const bytesPerSec = Math.min(...limits);
    return Math.max(MIN_TURN_BYTES, (bytesPerSec * RATE_STEP_MS) / SECOND_MS);
  }

  #schedule(): void {
    if (this.#waiting === 0) {
      this.#timer?.cancel();
      this.#timer = null;
    } else if (!this.#serving) {
      this.#timer ??= this.clock.after(RATE_STEP_MS, () => {
        this.#timer = null;
        this.#serve();
      });
    }
  }
}

/** Room under the limits that not all torrents have in common. */
function ownRoom({ bucket, group }: TorrentShare): number {
  return group ? Math.min(bucket.room, group.bucket.room) : bucket.room;
}
