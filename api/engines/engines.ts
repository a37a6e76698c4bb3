// The engines of a front as the services know them: one that needs no name, or several, each with the file system of its machine.
import type { Folders } from '../../shared-protocol/folders.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { Root } from '../../shared-protocol/stream/messages.js';
import type { WhyAway } from '../engine-client/why-away.js';
import type { EngineNode } from './nodes.js';
import type { PlacementRule } from './placement/rules.js';

/** An engine, for people to look at. */
export interface EngineState {
  readonly name: string;
  /** The address by which it is reached. */
  readonly address: string;
  /** Unix milliseconds since which it is away, or has not told what it has; null: it is there. */
  readonly awaySinceMs: number | null;
  /** null while it is there. */
  readonly whyAway: WhyAway | null;
  /** The version of its program; empty while that is not known. */
  readonly version: string;
  /** The number of torrents that are shown of it, also while it is away. */
  readonly torrents: number;
  /** The port that it is reached at by peers; null: not known. */
  readonly peerPort: number | null;
  /** Folders below which it saves, as it names them; none: anywhere. */
  readonly roots: readonly Root[];
  /** Whether its torrents on shared roots go to others, and nothing new comes to it. */
  readonly isDraining: boolean;
}

export interface Engines {
  /** The first one is that of accounts that name none; one engine alone has no name. */
  readonly names: readonly string[];
  /**
   * The name of the engine that an account names; of one that names none, the first one's. Of one that is placed by the fleet, that
   * of an engine which has the path, or of any.
   */
  nameFor(wanted: string, path?: string): string;
  /** The file system that an engine saves in; '' for the first one. Of an engine that is none of these nothing can be said. */
  foldersOf(name: string): Folders;
  /** Where an engine saves what nobody has said a path for; null: where the settings say, as for accounts that are placed by the fleet. */
  savePathOf(name: string): string | null;
  /** The engine that a torrent is on. */
  nameOf(id: TorrentId): string;
  /**
   * Unix milliseconds since which an engine is away; '' for the first one, and where the fleet places torrents the one that is away
   * longest. null: it is there, or is none of these.
   */
  awaySinceMs(name: string): number | null;
  /** Each has told what it has since this process began: a torrent that is not known is on none of them. */
  readonly isWhole: boolean;
  /** Several, in the order of their names; none where one is all. */
  readonly states: readonly EngineState[];
  /** The same as they share roots. */
  readonly nodes: readonly EngineNode[];
  /** Where torrents of accounts go that are placed by the fleet. */
  readonly placementRules: readonly PlacementRule[];
  /** An engine that is away for so long is lost: others take its torrents on shared roots. */
  readonly takeOverAfterMs: number;
}
