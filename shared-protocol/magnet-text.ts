// What people paste for a magnet (BEP 9): the link, or nothing but its info hash.

/** 40 hexadecimal digits, or 32 of base32. */
const BARE_HASH = /^(?:[0-9a-f]{40}|[a-z2-7]{32})$/i;

/** Whether the text is meant as a magnet; it may still be a bad one. */
export function isMagnetText(text: string): boolean {
  return /^magnet:/i.test(text) || BARE_HASH.test(text.trim());
}

/** The link that a bare info hash stands for; anything else as it is. */
export function magnetLink(text: string): string {
  const hash = text.trim();
  return BARE_HASH.test(hash) ? `magnet:?xt=urn:btih:${hash}` : text;
}
