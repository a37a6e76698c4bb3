// The identity of a torrent in the page: its info hash, behind the number of its server where that is another one, as a
// torrent may be on several. And how the API is asked about it: what is on another server is asked of that one. Pure.

const HASH_CHARS = 40;

/** `server`: null for this one. */
export function rowIdOf(infoHash: string, server: number | null): string {
  return server === null ? infoHash : `${server}/${infoHash}`;
}

export function infoHashOf(rowId: string): string {
  return rowId.slice(-HASH_CHARS);
}

/** null: this one. */
export function serverOf(rowId: string): number | null {
  return rowId.length > HASH_CHARS ? Number.parseInt(rowId, 10) : null;
}

/** An address of the API, which has no query yet, asked of a server. */
export function askedOf(server: number | null, address: string): string {
  return server === null ? address : `${address}?server_id=${server}`;
}

/** The address of a torrent, or of something of it, as `/trackers`. */
export function torrentAddress(rowId: string, rest = ''): string {
  return askedOf(serverOf(rowId), `/api/torrents/${infoHashOf(rowId)}${rest}`);
}

/** By server, this one first if it has any: what is asked of each. */
export function byServer<Item extends { readonly id: string }>(
  items: readonly Item[],
): ReadonlyMap<number | null, readonly Item[]> {
  const parts = new Map<number | null, Item[]>();
  for (const item of items) {
    const server = serverOf(item.id);
    const part = parts.get(server);
    if (part) part.push(item);
    else parts.set(server, [item]);
  }
  return new Map([...parts].sort(([a], [b]) => (a ?? 0) - (b ?? 0)));
}
