// The engines that a new torrent of an account may go to which is placed by the fleet: those of the rule that holds, and of them those
// that have the path. Pure.
import type { Root } from '../../../shared-protocol/stream/messages.js';
import { isAtOrBelow } from '../../../storage/real-location.js';
import type { EngineNode } from '../nodes.js';
import { ruleFor, type Described, type PlacementRule } from './rules.js';

export interface Rooted {
  /** Folders below which it saves; none: anywhere. null: it was never reached. */
  readonly roots: readonly Root[] | null;
}

export type PlacementNode = Pick<EngineNode, 'name' | 'awaySinceMs' | 'isDraining' | 'torrents'> & Rooted;

export interface PlacementWish {
  readonly torrent: Described;
  /** Where it is to lie, absolute; '' where nobody says. */
  readonly path: string;
  /** The path of its category, which gives way to the rules; '' for none. */
  readonly inherited: string;
}

export interface Candidates<Node> {
  /** Engines that would do if they were there. */
  readonly wanted: readonly Node[];
  /** The ones of them that are there and not to be left. */
  readonly there: readonly Node[];
  /** Whether the path of the category is theirs. */
  readonly hasInherited: boolean;
}

export function candidatesFor<Node extends PlacementNode>(
  nodes: readonly Node[],
  rules: readonly PlacementRule[],
  { torrent, path, inherited }: PlacementWish,
): Candidates<Node> {
  const rule = ruleFor(rules, torrent);
  const allowed = rule ? nodes.filter(({ name }) => rule.engines.includes(name)) : nodes;
  const within = path === '' ? allowed : placesOf(path, allowed);
  const below = inherited === '' ? [] : within.filter((node) => hasPlace(node, inherited));
  const wanted = below.length > 0 ? below : within;
  return { wanted, there: wanted.filter(isOpen), hasInherited: below.length > 0 };
}

/** The root of an engine that a path is on, the innermost one; null: none, or it saves anywhere. */
export function rootOf({ roots }: Rooted, path: string): Root | null {
  const around = (roots ?? []).filter((root) => isAtOrBelow(path, root.path));
  return around.reduce<Root | null>((best, root) => (best && best.path.length >= root.path.length ? best : root), null);
}

export function hasPlace(node: Rooted, path: string): boolean {
  return node.roots !== null && (node.roots.length === 0 || rootOf(node, path) !== null);
}

/** An engine of an account that is placed by the fleet, for what is asked of a path: of those that have it one that is there. At least one node. */
export function engineHaving<Node extends PlacementNode>(nodes: readonly Node[], path: string | undefined): Node {
  const having = path === undefined ? nodes : placesOf(path, nodes);
  return having.find(isOpen) ?? having.find(({ awaySinceMs }) => awaySinceMs === null) ?? having[0] ?? nodes[0]!;
}

/**
 * The engines on which a home is one and the same folder, or that of nobody else: those that share it, where no other engine has
 * something else at that path, or the only one that has it.
 */
export function enginesSharing<Node extends Rooted>(nodes: readonly Node[], home: string): readonly Node[] {
  const having = nodes.filter((node) => hasPlace(node, home));
  return having.length === 1 || having.every((node) => rootOf(node, home)?.isShared) ? having : [];
}

/** Engines that have a path; where none has, those judge it which may have it, as they were never reached, or else all. */
function placesOf<Node extends Rooted>(path: string, nodes: readonly Node[]): readonly Node[] {
  const having = nodes.filter((node) => hasPlace(node, path));
  if (having.length > 0) return having;
  const unknown = nodes.filter(({ roots }) => roots === null);
  return unknown.length > 0 ? unknown : nodes;
}

function isOpen({ awaySinceMs, isDraining }: PlacementNode): boolean {
  return awaySinceMs === null && !isDraining;
}
