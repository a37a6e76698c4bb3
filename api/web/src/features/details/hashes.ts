// The info hashes of a torrent: of version 1 (BEP 3), of version 2 (BEP 52), or of both. Pure.
const V1_DIGITS = 40;
/** A multihash of SHA-256. */
const V2_TOPIC = /^urn:btmh:1220([0-9a-f]{64})$/i;

export interface Hashes {
  readonly v1: string | null;
  readonly v2: string | null;
}

/** `id`: the one by which the torrent is known; the magnet link has the other, if there is one. */
export function hashesOf(id: string, magnet: string): Hashes {
  const topics = new URLSearchParams(magnet.slice(magnet.indexOf('?') + 1)).getAll('xt');
  const v2 = topics.map((topic) => V2_TOPIC.exec(topic)?.[1]).find((hash) => hash !== undefined) ?? null;
  return id.length === V1_DIGITS ? { v1: id, v2 } : { v1: null, v2: id };
}
