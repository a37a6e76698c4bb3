// Where the list is scrolled to when its order changes by itself: as far on as most of the rows that are seen have moved,
// so that these stay under the eye and the mouse. Pure.
import type { RowWindow } from './row-window.js';

/** Most rows move by a few places with a tick; only those that do not are looked for in all of the list. */
const NEAR_ROWS = 250;

/** By how many places most of the rows in `seen` have moved from one order to the next; 0 when none of them is there any more. */
export function displacementOf(before: readonly string[], now: readonly string[], seen: RowWindow): number {
  const placeBefore = new Map(before.slice(seen.first, seen.end).map((id, at) => [id, seen.first + at]));
  const near = { first: Math.max(seen.first - NEAR_ROWS, 0), end: Math.min(seen.end + NEAR_ROWS, now.length) };
  const all = { first: 0, end: now.length };
  return mostOften(displacements(placeBefore, now, near)) ?? mostOften(displacements(placeBefore, now, all)) ?? 0;
}

function displacements(placeBefore: ReadonlyMap<string, number>, now: readonly string[], within: RowWindow): number[] {
  const found: number[] = [];
  for (let place = within.first; place < within.end; place++) {
    const before = placeBefore.get(now[place]!);
    if (before !== undefined) found.push(place - before);
  }
  return found;
}

/** The first of several that are as frequent. */
function mostOften(values: readonly number[]): number | undefined {
  const times = new Map<number, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  const most = Math.max(...times.values());
  return [...times.keys()].find((value) => times.get(value) === most);
}
