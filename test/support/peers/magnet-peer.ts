// A peer of a magnet over bare sockets: waits to be dialled, speaks BEP 10, tells of others when it is told to (BEP 11)
// and hands out the info dictionary when the test says so (BEP 9). It has no pieces and wants none.
import bencode from 'bencode';
import type { InfoHash } from '../../../shared-protocol/ids.js';
import { listenRaw } from './raw-listener.js';
import { extended, extensionMessage, handshake, ID, type RawPeer } from './raw-peer.js';
import { waitUntil } from './wait-until.js';

/** What it calls the extensions; other numbers than ours, so that neither side can mix them up. */
const OWN_IDS = { ut_metadata: 11, ut_pex: 12 } as const;
const TIMEOUT_MS = 10_000;

export interface MagnetPeer {
  readonly host: string;
  readonly port: number;
  /** `host:port` */
  readonly address: string;
  /** Times that it was dialled. */
  readonly calls: number;
  /** Somebody is here whose handshake has come. */
  readonly isConnected: boolean;
  /** Tells whoever is here of another peer on IPv4, under the extension's number or another one. */
  tellOf(peer: { readonly host: string; readonly port: number }, extensionId?: number): void;
  /** Answers the request for the info dictionary, which has to be a single piece of metadata. */
  giveInfo(): Promise<void>;
  close(): Promise<void>;
}

/** Without `infoBytes` it offers no info dictionary. @default host 127.0.0.1 */
export async function startMagnetPeer(
  infoHash: InfoHash,
  { infoBytes, host = '127.0.0.1' }: { readonly infoBytes?: Uint8Array; readonly host?: string } = {},
): Promise<MagnetPeer> {
  const hello = { m: { ...OWN_IDS }, ...(infoBytes ? { metadata_size: infoBytes.length } : {}) };
  const greeting = [handshake(infoHash, { extended: true }), extended(textOf(bencode.encode(hello)))];
  const listener = await listenRaw((caller) => caller.send(...greeting), host);
  const present = (): RawPeer | undefined =>
    listener.callers.find((caller) => caller.isGreeted && !caller.isClosed && extensionsOf(caller) !== null);
  return {
    host: listener.host,
    port: listener.port,
    address: listener.address,
    get calls() {
      return listener.callers.length;
    },
    get isConnected() {
      return present() !== undefined;
    },
    tellOf(peer, extensionId) {
      const caller = present();
      const id = extensionId ?? (caller && extensionsOf(caller)?.['ut_pex']);
      if (!caller || id === undefined) throw new Error('nobody here takes ut_pex');
      caller.send(extensionMessage(id, pexMessage(peer)));
    },
    async giveInfo() {
      if (!infoBytes) throw new Error('no info dictionary to give');
      const caller = await waitUntil('asked for metadata', TIMEOUT_MS, () => {
        const one = present();
        return one?.messages.some(({ id, payload }) => id === ID.extended && payload[0] === OWN_IDS.ut_metadata)
          ? one
          : undefined;
      });
      const id = extensionsOf(caller)?.['ut_metadata'];
      if (id === undefined) throw new Error('ut_metadata has no number');
      const header = bencode.encode({ msg_type: 1, piece: 0, total_size: infoBytes.length });
      caller.send(extensionMessage(id, Buffer.concat([header, infoBytes])));
    },
    close: () => listener.close(),
  };
}

/** One peer added, without flags (BEP 11). */
export function pexMessage({ host, port }: { readonly host: string; readonly port: number }): Uint8Array {
  return bencode.encode({ added: compactPeer({ host, port }), 'added.f': Buffer.alloc(1) });
}

/** BEP 23: IPv4 address and port. */
export function compactPeer({ host, port }: { readonly host: string; readonly port: number }): Buffer {
  return Buffer.from([...host.split('.').map(Number), port >> 8, port & 255]);
}

/** `m` of the extended handshake (BEP 10): names and numbers; null before it has come. */
export function extensionsOf(peer: RawPeer): Readonly<Record<string, number>> | null {
  const message = peer.messages.find(({ id, payload }) => id === ID.extended && payload[0] === 0);
  if (!message) return null;
  // Whoever sends something else fails the test that looks for it.
  return (bencode.decode(message.payload.subarray(1)) as { readonly m: Readonly<Record<string, number>> }).m;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
