// What one account is shown of all its torrents: the frame of a tick, which holds the list, and their totals. One pass
// over the torrents finds out what has changed; without a change the bytes of before are used again.
import type { Access, GlobalStats } from '../../shared-protocol/dto/torrents.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import { hasFlag } from './torrent-dto.js';
import type { TorrentFragment } from './torrent-fragment.js';

const HEAD = Buffer.from('{"type":"torrents:tick","payload":[');
const TAIL = Buffer.from(']}');
/** The list in a frame is what lies between these. */
const LIST_BEGIN = HEAD.length - 1;
const LIST_END = -1;
const OPENING_BRACKET = 0x5b;
/** No fragment has this revision. */
const NEVER = -1;

interface Slot {
  readonly facts: TorrentFacts;
  readonly access: Access;
  readonly fragment: TorrentFragment;
  /** Of the fragment, when the frame was last found to be out of date. */
  revision: number;
}

export interface ListSources {
  readonly fragmentOf: (facts: TorrentFacts) => TorrentFragment;
  /** Of this account. */
  readonly accessOf: (facts: TorrentFacts) => Access | null;
}

export class TorrentListView {
  readonly #slots: Slot[] = [];
  /** null: to be made of the slots. */
  #frame: Buffer | null = null;
  #totals: GlobalStats = toGlobalStats(0, 0, 0, 0, 0, 0);

  get totals(): GlobalStats {
    return this.#totals;
  }

  /** `torrents:tick`. */
  get frame(): Buffer {
    return (this.#frame ??= join(this.#slots));
  }

  /** JSON of TorrentDTO[]: a part of the frame. */
  get list(): Buffer {
    return this.frame.subarray(LIST_BEGIN, LIST_END);
  }

  /** Looks at every torrent that the account sees, in their order. */
  refresh(torrents: readonly TorrentFacts[], sources: ListSources): void {
    const slots = this.#slots;
    let isChanged = slots.length !== torrents.length;
    slots.length = Math.min(slots.length, torrents.length);
    let [active, seeding, downloadRate, uploadRate, peers] = [0, 0, 0, 0, 0];
    for (let place = 0; place < torrents.length; place++) {
      const facts = torrents[place]!;
      let slot = slots[place];
      if (slot?.facts !== facts) slots[place] = slot = toSlot(facts, sources);
      slot.fragment.refresh();
      const { stats, revision } = slot.fragment;
      isChanged ||= revision !== slot.revision;
      slot.revision = revision;
      if (hasFlag(stats, 'completed')) seeding++;
      else if (!hasFlag(stats, 'paused')) active++;
      downloadRate += Math.round(stats.downloadRate);
      uploadRate += Math.round(stats.uploadRate);
      peers += stats.peers;
    }
    if (isChanged) this.#frame = null;
    this.#totals = toGlobalStats(torrents.length, active, seeding, downloadRate, uploadRate, peers);
  }
}

/** A torrent that is in the account's list is one that it may see (services/library/visibility.ts). */
function toSlot(facts: TorrentFacts, { fragmentOf, accessOf }: ListSources): Slot {
  return { facts, access: accessOf(facts) ?? 'viewer', fragment: fragmentOf(facts), revision: NEVER };
}

/** Never a view of the shared pool: the bytes wait in sockets for as long as a slow client likes. */
function join(slots: readonly Slot[]): Buffer {
  const hasAny = slots.length > 0;
  const parts = slots.map(({ fragment, access }) => fragment.bytes(access));
  let length = 0;
  for (const part of parts) length += part.length;
  // Each begins with a comma; that of the first gives way to the bracket.
  const frame = Buffer.allocUnsafeSlow(HEAD.length + length - (hasAny ? 1 : 0) + TAIL.length);
  frame.set(HEAD);
  let at = hasAny ? LIST_BEGIN : HEAD.length;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  frame[LIST_BEGIN] = OPENING_BRACKET;
  frame.set(TAIL, at);
  return frame;
}

function toGlobalStats(
  total: number,
  active: number,
  seeding: number,
  downloadRate: number,
  uploadRate: number,
  peers: number,
): GlobalStats {
  return {
    total_torrents: total,
    active_torrents: active,
    seeding_torrents: seeding,
    total_download_rate: downloadRate,
    total_upload_rate: uploadRate,
    total_peers: peers,
  };
}
