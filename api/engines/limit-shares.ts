// A limit of speed that several engines have together, shared out: one that uses its part gets more, one that does not gives it up,
// down to a little by which it can begin. Pure.

/** The part of the limit that is always there for all, used or not. */
const IDLE_PART = 0.05;
/** An engine that uses this part of its share would use more. */
const HUNGRY_PART = 0.85;
/** Room beyond what an engine uses that would not use more. */
const ROOM = 1.25;

/** One engine's part so far. */
export interface ShareInUse {
  /** Bytes per second. */
  readonly rate: number;
  /** Bytes per second; null: it has none yet. */
  readonly share: number | null;
  /** Whether nobody reaches it: it goes on with the share that it has, if it has one. */
  readonly isAway: boolean;
}

/** The shares from now on, in bytes per second and in the same order; together no more than the limit, but for what is away. 0: no limit. */
export function shareOut(limit: number, engines: readonly ShareInUse[]): number[] {
  if (limit === 0) return engines.map(() => 0);
  const kept = engines.map(({ isAway, share }) => (isAway ? share : null));
  const present = engines.filter((_engine, at) => kept[at] === null);
  const free = Math.max(0, limit - kept.reduce<number>((sum, share) => sum + (share ?? 0), 0));
  const idle = (free * IDLE_PART) / Math.max(1, present.length);
  const isHungry = ({ rate, share }: ShareInUse) => share === null || rate >= share * HUNGRY_PART;
  const needs = present.filter((engine) => !isHungry(engine)).map(({ rate }) => Math.max(idle, rate * ROOM));
  const needed = needs.reduce((sum, need) => sum + need, 0);
  const hungry = present.length - needs.length;
  // Where all have enough, what is left is for whoever begins next.
  const more = Math.max(0, free - needed) / Math.max(1, hungry || present.length);
  const wanted = engines.map((engine, at) => {
    if (kept[at] !== null) return kept[at]!;
    if (isHungry(engine)) return Math.max(idle, more);
    return Math.max(idle, engine.rate * ROOM) + (hungry === 0 ? more : 0);
  });
  const asked = wanted.reduce((sum, share, at) => sum + (kept[at] === null ? share : 0), 0);
  const scale = asked > free ? free / asked : 1;
  // 0 would be no limit.
  return wanted.map((share, at) => (kept[at] === null ? Math.max(1, Math.floor(share * scale)) : share));
}
