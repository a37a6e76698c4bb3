// Where several torrents come to stand in the queue when they are moved together: those that move keep their order among
// themselves, and so do the others. Pure.
import type { QueueTarget } from '../../shared-protocol/commands/limits.js';

/** `order` as it is afterwards. A number is the place of the first that moves, clamped; the others close up. */
export function movedOrder<Member>(
  order: readonly Member[],
  moving: ReadonlySet<Member>,
  to: QueueTarget,
): readonly Member[] {
  if (to === 'up') return oneForward(order, moving);
  if (to === 'down') return oneForward(order.toReversed(), moving).toReversed();
  const chosen = order.filter((member) => moving.has(member));
  const others = order.filter((member) => !moving.has(member));
  const place = to === 'top' ? 0 : to === 'bottom' ? others.length : to;
  return others.toSpliced(Math.min(Math.max(0, place), others.length), 0, ...chosen);
}

/** Each that moves passes the one before it, unless that one moves as well and has no room. */
function oneForward<Member>(order: readonly Member[], moving: ReadonlySet<Member>): Member[] {
  const moved = [...order];
  for (let at = 1; at < moved.length; at++) {
    const [before, member] = [moved[at - 1]!, moved[at]!];
    if (!moving.has(member) || moving.has(before)) continue;
    moved[at - 1] = member;
    moved[at] = before;
  }
  return moved;
}

/**
 * The same, where some may only move forward: one of these that would fall behind by its own move stays with the others.
 * `isRestricted`: whether it is one of these.
 */
export function admittedMoves<Member>(
  order: readonly Member[],
  moving: ReadonlySet<Member>,
  to: QueueTarget,
  isRestricted: (member: Member) => boolean,
): { readonly order: readonly Member[]; readonly moving: ReadonlySet<Member> } {
  const places = new Map(order.map((member, place) => [member, place]));
  let admitted = moving;
  for (;;) {
    const moved = movedOrder(order, admitted, to);
    const refused = moved.filter(
      (member, place) => admitted.has(member) && isRestricted(member) && place > places.get(member)!,
    );
    if (refused.length === 0) return { order: moved, moving: admitted };
    const back = new Set(refused);
    admitted = new Set([...admitted].filter((member) => !back.has(member)));
  }
}
