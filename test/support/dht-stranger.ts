// Somebody on loopback who speaks KRPC (BEP 5) by hand: sends what it likes and shows what comes back. Written with the
// npm encoder and not our codec, so that the two check each other.
import bencode, { type BencodeInput } from 'bencode';
import { createSocket, type RemoteInfo } from 'node:dgram';

/** A decoded message; byte strings as `Uint8Array`. */
export interface Krpc {
  readonly t: Uint8Array;
  readonly y: string;
  readonly q?: string;
  readonly a?: Readonly<Record<string, unknown>>;
  readonly r?: Readonly<Record<string, unknown>>;
  readonly e?: readonly unknown[];
  /** Of the datagram. */
  readonly bytes: number;
}

export interface Stranger {
  readonly host: string;
  readonly port: number;
  readonly id: Uint8Array;
  /** All that arrived. */
  readonly received: readonly Krpc[];
  send(port: number, bytes: Uint8Array, host?: string): void;
  sendMessage(port: number, message: Readonly<Record<string, BencodeInput>>): void;
  /** Sends a query with its id and resolves with the answer, or null after `waitMs`. @default waitMs 500 */
  ask(
    port: number,
    method: string,
    given?: Readonly<Record<string, BencodeInput>>,
    waitMs?: number,
  ): Promise<Krpc | null>;
  close(): Promise<void>;
}

export interface StrangerOptions {
  /** @default 127.0.0.1 */
  readonly host?: string;
  /** First byte of the id; the rest is zeros. */
  readonly idByte?: number;
  /** Answers queries; what is returned becomes the reply's fields besides the id. Null: no answer. */
  readonly answer?: (query: Krpc, from: RemoteInfo) => Readonly<Record<string, BencodeInput>> | null;
}

export async function startStranger({
  host = '127.0.0.1',
  idByte = 0xee,
  answer,
}: StrangerOptions = {}): Promise<Stranger> {
  const socket = createSocket('udp4');
  const received: Krpc[] = [];
  const waiting = new Map<string, (message: Krpc) => void>();
  const id = new Uint8Array(20);
  id[0] = idByte;
  let asked = 0;

  socket.on('message', (bytes, from) => {
    const message = read(bytes);
    received.push(message);
    const waiter = waiting.get(hex(message.t));
    if (message.y !== 'q') return waiter?.(message);
    const fields = answer?.(message, from);
    if (fields) socket.send(bencode.encode({ t: message.t, y: 'r', r: { id, ...fields } }), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, host, resolve));

  const send = (port: number, bytes: Uint8Array, to = '127.0.0.1'): void => socket.send(bytes, port, to);
  return {
    host,
    port: socket.address().port,
    id,
    received,
    send,
    sendMessage: (port, message) => send(port, bencode.encode(message)),
    ask: (port, method, given = {}, waitMs = 500) =>
      new Promise((resolve) => {
        const t = Buffer.from(`a${asked++}`);
        const timer = setTimeout(() => resolve(null), waitMs);
        waiting.set(hex(t), (message) => {
          clearTimeout(timer);
          resolve(message);
        });
        send(port, bencode.encode({ t, y: 'q', q: method, a: { id, ...given } }));
      }),
    close: () => new Promise((resolve) => void socket.close(() => resolve())),
  };
}

function read(bytes: Uint8Array): Krpc {
  const decoded = bencode.decode(bytes) as Omit<Krpc, 'y' | 'q' | 'bytes'> & { y: Uint8Array; q?: Uint8Array };
  const { y, q, ...rest } = decoded;
  return { ...rest, y: text(y), ...(q ? { q: text(q) } : {}), bytes: bytes.length };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
