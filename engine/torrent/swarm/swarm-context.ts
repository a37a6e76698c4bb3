// What the parts of a swarm know of it: enough for the handshake, for the messages of a connection and for what follows
// from them. The swarm itself (`swarm.ts`) knows its parts.
import type { InfoHash } from '../../../shared-protocol/ids.js';
import type { TorrentStorage } from '../../disk/types.js';
import type { TorrentInfo } from '../../metainfo/index.js';
import type { PeerKey } from '../../picker/types.js';
import type { CloseReason } from '../../wire/errors.js';
import type { Download } from '../download/download.js';
import type { Peer } from '../peer/peer.js';
import type { Bitfield } from '../pieces/bitfield.js';
import type { TorrentServices } from '../session-interface.js';
import type { Upload } from '../upload/upload.js';
import type { MetadataFetch } from './metadata-fetch.js';
import type { PeerUpdates } from './peer-updates.js';
import type { PeerExchange } from './pex.js';
import type { SuperSeeding } from './super-seeding.js';

/** The parts of a swarm that need the info dictionary. */
export interface SwarmContent {
  readonly info: TorrentInfo;
  readonly infoBytes: Uint8Array;
  readonly storage: TorrentStorage;
  readonly have: Bitfield;
}

export interface SwarmContext {
  readonly infoHash: InfoHash;
  readonly peers: ReadonlyMap<PeerKey, Peer>;
  readonly services: TorrentServices;
  /** BEP 27. */
  readonly isPrivate: boolean;
  /** We have all we want of it (BEP 21). */
  readonly isUploadOnly: boolean;
  readonly content: SwarmContent | null;
  readonly download: Download | null;
  readonly upload: Upload | null;
  /** null once the info dictionary is known. */
  readonly metadata: MetadataFetch | null;
  readonly exchange: PeerExchange;
  readonly updates: PeerUpdates;
  readonly superSeeding: SuperSeeding;
  readonly events: {
    /** The handshake is through both ways. */
    onPeerMet(peer: Peer): void;
  };
  /** The socket is there; the handshake is to come. */
  onConnect(peer: Peer): void;
  /** A peer has sent the info dictionary. */
  onMetadata(infoBytes: Uint8Array): void;
  onPayload(direction: 'down' | 'up', bytes: number): void;
  onClosed(peer: Peer, reason: CloseReason, detail: string): void;
}
