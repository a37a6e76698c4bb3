/** Characters of a suffix of incomplete files, the dot among them. No spec value; qBittorrent has `.!qB`, Transmission `.part`. */
export const MAX_SUFFIX_CHARS = 16;

/** A dot, and more that ends a name on every system: nothing that Windows forbids, nothing invisible, no dot or space at the end. */
const SUFFIX = /^\.(?:[^\p{C}\p{Zl}\p{Zp}/\\<>:"|?*]*[^\p{C}\p{Z}/\\<>:"|?*.])$/u;

export function isIncompleteSuffix(text: string): boolean {
  return text.length <= MAX_SUFFIX_CHARS && SUFFIX.test(text);
}
