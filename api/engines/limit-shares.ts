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
  const free = Math.max(0, limit - sumOf(kept.map((share) => share ?? 0)));
  const present = sharesOf(
    free,
    engines.filter((_engine, at) => kept[at] === null),
  ).values();
  return kept.map((share) => share ?? present.next().value!);
}

function sharesOf(free: number, present: readonly ShareInUse[]): number[] {
  const idle = (free * IDLE_PART) / present.length;
  /** null: it would use whatever it gets. */
  const needs = present.map(({ rate, share }) =>
    share === null || rate >= share * HUNGRY_PART ? null : Math.max(idle, rate * ROOM),
  );
  const hungry = needs.filter((need) => need === null).length;
  // Where all have enough, what is left is for whoever begins next.
  const more = Math.max(0, free - sumOf(needs.map((need) => need ?? 0))) / (hungry || present.length);
  const wanted = needs.map((need) => (need === null ? Math.max(idle, more) : need + (hungry === 0 ? more : 0)));
  const asked = sumOf(wanted);
  const scale = asked > free ? free / asked : 1;
  // 0 would be no limit.
  return wanted.map((share) => Math.max(1, Math.floor(share * scale)));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
