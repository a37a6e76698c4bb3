// How the upload slots are divided among accounts: each gets what it can use up to an equal part, and what some leave goes
// to the others, so that a torrent with a thousand peers takes no slot from another account's that has one. Pure.

/** Every account with peers that want something has so many, one of them optimistic, however few there are in all. */
const MIN_SLOTS_OF_ACCOUNT = 2;

/** `wanted`: how many each could use. The sum is `slots` at most, but for what everybody has at least. */
export function slotShares(slots: number, wanted: readonly number[]): number[] {
  const shares = wanted.map((count) => Math.min(count, slots, MIN_SLOTS_OF_ACCOUNT));
  let left = slots - shares.reduce((sum, share) => sum + share, 0);
  while (left > 0) {
    const hungry = wanted.flatMap((count, place) => (count > shares[place]! ? [place] : []));
    if (hungry.length === 0) break;
    const each = Math.max(1, Math.floor(left / hungry.length));
    for (const place of hungry) {
      const more = Math.min(each, left, wanted[place]! - shares[place]!);
      shares[place]! += more;
      left -= more;
    }
  }
  // Who is alone may have them all, also for peers that come to want something before the next round.
  return wanted.length === 1 ? [slots] : shares;
}
