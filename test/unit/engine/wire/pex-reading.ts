// A peer exchange message as libtorrent's ut_pex reads it, written from BEP 11 and its rules: flags count only when
// there are exactly as many as addresses, and without them the addresses do not count either.
import bencode from 'bencode';
import ipaddr from 'ipaddr.js';

export interface PexReading {
  /** `host:port/flags`, IPv6 in brackets. */
  readonly added: readonly string[];
  readonly dropped: readonly string[];
}

export function readAsLibtorrent(payload: Uint8Array): PexReading {
  const message = bencode.decode(payload) as Readonly<Record<string, Uint8Array | undefined>>;
  const added: string[] = [];
  const dropped: string[] = [];
  for (const [family, size] of [
    ['', 6],
    ['6', 18],
  ] as const) {
    const flags = message[`added${family}.f`];
    const addresses = split(message[`added${family}`], size);
    if (flags?.length === addresses.length) added.push(...addresses.map((address, i) => `${address}/${flags[i]}`));
    dropped.push(...split(message[`dropped${family}`], size));
  }
  return { added, dropped };
}

function split(bytes: Uint8Array | undefined, size: number): string[] {
  const count = Math.floor((bytes?.length ?? 0) / size);
  return Array.from({ length: count }, (_, i) => {
    const entry = Buffer.from(bytes ?? []).subarray(i * size, (i + 1) * size);
    const host = ipaddr.fromByteArray([...entry.subarray(0, size - 2)]).toString();
    return `${size === 18 ? `[${host}]` : host}:${entry.readUInt16BE(size - 2)}`;
  });
}
