// Engines as they share roots: whose torrents go to which of them when one is lost or is to be left (docs/operate/fleet.md "Shared
// roots"). Pure.
import type { CommandParams, CommandResult } from '../../shared-protocol/commands.js';
import type { Root, Welcome } from '../../shared-protocol/stream/messages.js';
import { isAtOrBelow } from '../../storage/real-location.js';

/** Each time it is granted; renewed by the engine each 5 s (engine-process/node-lease.ts). */
export const NODE_LEASE_MS = 15_000;

export interface EngineNode {
  readonly name: string;
  /** The engine's own id; null: it was never reached. */
  readonly engineId: string | null;
  /** Unix milliseconds; null: it is there. */
  readonly awaySinceMs: number | null;
  /** Whether its torrents on shared roots go to others, and nothing new comes to it. */
  readonly isDraining: boolean;
  /** Folders below which it saves; none: anywhere. null: it was never reached. */
  readonly roots: readonly Root[] | null;
  /** Paths that other engines have as well; none while it was never reached. */
  readonly sharedRoots: readonly string[];
  /** Torrents that are shown of it. */
  readonly torrents: number;
  /** @throws AppError `ENGINE_AWAY` */
  give(params: CommandParams<'giveTorrents'>): Promise<CommandResult<'giveTorrents'>>;
  /** @throws AppError `ENGINE_AWAY`, `ENGINE_FENCED` */
  take(params: CommandParams<'takeTorrents'>): Promise<CommandResult<'takeTorrents'>>;
}

/** The lease that an engine has of itself, or who holds it off. */
export function nodeLease(engineId: string): string {
  return `node/${engineId}`;
}

export function sharedRootsIn(welcome: Pick<Welcome, 'roots'> | null): readonly string[] {
  return (welcome?.roots ?? []).flatMap(({ path, isShared }) => (isShared ? [path] : []));
}

/** Whether a path is on a root that the engine shares. */
export function hasPath({ sharedRoots }: Pick<EngineNode, 'sharedRoots'>, path: string): boolean {
  return sharedRoots.some((root) => isAtOrBelow(path, root));
}

type Choice = Pick<EngineNode, 'awaySinceMs' | 'isDraining' | 'torrents'>;

/** The engine that others' torrents go to: of those that are there the one with the fewest; null: there is none. */
export function fewestTorrents<Node extends Choice>(nodes: readonly Node[]): Node | null {
  const there = nodes.filter(({ awaySinceMs, isDraining }) => awaySinceMs === null && !isDraining);
  return there.reduce<Node | null>((best, node) => (best && best.torrents <= node.torrents ? best : node), null);
}

/** The engine, by its place, that saves at a path what an account adds: its own, or another that shares the root where that one is away or to be left. */
export function engineForPath(
  own: number,
  path: string,
  nodes: readonly (Choice & Pick<EngineNode, 'sharedRoots'>)[],
): number {
  const home = nodes[own]!;
  if (home.awaySinceMs === null && !home.isDraining) return own;
  const other = fewestTorrents(nodes.filter((node) => node !== home && hasPath(node, path)));
  return other ? nodes.indexOf(other) : own;
}
