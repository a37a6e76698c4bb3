// A web seed's socket driven by the real peer connection, and the torrents that its tests are about.
import { ADMIN_ACCOUNT_ID, parsePeerId } from '../../../../shared-protocol/ids.js';
import { parseTorrentFile, type TorrentInfo } from '../../../../engine/metainfo/index.js';
import { BLOCK_SIZE_BYTES, type PeerSocket } from '../../../../engine/environment.js';
import { openWebSeed, type SeedForm, type WebSeedDeps } from '../../../../engine/webseed/index.js';
import { makeTorrent, type MakeTorrentOptions } from '../../../support/make-torrent.js';
import { RecordedConnection } from '../../../support/recorded-connection.js';

export interface BlockRange {
  readonly piece: number;
  readonly begin: number;
  readonly length: number;
}

export interface SeededTorrent {
  readonly info: TorrentInfo;
  readonly payload: Uint8Array;
}

export function seededTorrent(options: MakeTorrentOptions): SeededTorrent {
  const { torrentBytes, payload } = makeTorrent(options);
  return { info: parseTorrentFile(torrentBytes).info, payload };
}

/** The requests that cover the pieces `from` to `to`, both included. */
export function blocksOf(
  { pieceLength, totalBytes, pieceCount }: TorrentInfo,
  from = 0,
  to = pieceCount - 1,
): BlockRange[] {
  const blocks: BlockRange[] = [];
  for (let piece = from; piece <= to; piece++) {
    const length = Math.min(pieceLength, totalBytes - piece * pieceLength);
    for (let begin = 0; begin < length; begin += BLOCK_SIZE_BYTES) {
      blocks.push({ piece, begin, length: Math.min(BLOCK_SIZE_BYTES, length - begin) });
    }
  }
  return blocks;
}

/** What we are to a web seed: a peer that writes down what it hears. */
export class SeedPeer {
  readonly socket: PeerSocket;
  readonly recorded: RecordedConnection;
  readonly #waiting = new Set<() => void>();

  constructor(
    deps: WebSeedDeps,
    readonly torrent: SeededTorrent,
    url: string,
    onNote: (note: string, peer: SeedPeer) => void = () => undefined,
    form: SeedForm = 'files',
  ) {
    const access = { account: ADMIN_ACCOUNT_ID, mayReachInside: () => false };
    this.socket = openWebSeed(deps, { url, form, info: torrent.info, userAgent: 'Swarmd/test', access });
    this.recorded = new RecordedConnection(this.socket, {
      direction: 'outgoing',
      infoHash: torrent.info.infoHash,
      peerId: parsePeerId('aa'.repeat(20)),
      onNote: (note) => {
        onNote(note, this);
        for (const check of [...this.#waiting]) check();
      },
    });
  }

  get closeReason(): string | undefined {
    return this.recorded.closes[0]?.detail;
  }

  request(blocks: readonly BlockRange[]): void {
    this.recorded.connection.sendRequests(blocks);
  }

  cancel(blocks: readonly BlockRange[]): void {
    this.recorded.connection.sendCancels(blocks);
  }

  /** Resolves once it holds, or the connection has closed. */
  async until(holds: () => boolean): Promise<void> {
    const ends = (): boolean => holds() || this.recorded.closes.length > 0;
    if (ends()) return;
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (!ends()) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
    });
  }

  unchoked(): Promise<void> {
    return this.until(() => this.heard('unchoke'));
  }

  /** How many blocks have come; those that are not as the torrent has them are listed as wrong. */
  count(): { readonly right: number; readonly wrong: readonly string[] } {
    const { payload, info } = this.torrent;
    const wrong = this.recorded.blocks
      .filter(({ piece, begin, bytes }) => {
        const start = piece * info.pieceLength + begin;
        return !Buffer.from(bytes).equals(payload.subarray(start, start + bytes.length));
      })
      .map(({ piece, begin }) => `${piece} ${begin}`);
    return { right: this.recorded.blocks.length - wrong.length, wrong };
  }

  heard(note: string): boolean {
    return this.recorded.heard.includes(note);
  }

  rejects(): string[] {
    return this.recorded.heard.filter((note) => note.startsWith('reject '));
  }
}
