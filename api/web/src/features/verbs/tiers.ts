// Trackers in tiers (BEP 12) as text: a URL on each line, an empty line between tiers. Pure.

export function tiersOf(text: string): readonly (readonly string[])[] {
  return text
    .split(/\n[^\S\n]*\n/)
    .map((tier) => tier.split('\n').flatMap((line) => line.trim() || []))
    .filter((tier) => tier.length > 0);
}

/** In the order of the list; those of one tier stand together. */
export function textOf(trackers: readonly { readonly url: string; readonly tier: number }[]): string {
  const tiers = new Map<number, string[]>();
  for (const { url, tier } of trackers) tiers.set(tier, [...(tiers.get(tier) ?? []), url]);
  return [...tiers]
    .sort(([a], [b]) => a - b)
    .map(([, urls]) => urls.join('\n'))
    .join('\n\n');
}
