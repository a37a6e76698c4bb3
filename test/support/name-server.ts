// A name server on loopback (RFC 1035, UDP): answers A questions for the names it has, says of others that there are none,
// and says nothing at all of names that end as `silent` says.
import { createSocket } from 'node:dgram';

export interface NameServer {
  /** `127.0.0.1:port`, as --name-servers takes it. */
  readonly address: string;
  /** Names that were asked for, each time. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

export interface NameServerOptions {
  readonly names?: Readonly<Record<string, string>>;
  /** @default none */
  readonly silent?: string;
  /** @default 127.0.0.1, any port */
  readonly at?: { readonly host: string; readonly port: number };
}

const TYPE_A = 1;
const NAME_ERROR = 3;

export async function startNameServer({
  names = {},
  silent,
  at: { host, port: wanted } = { host: '127.0.0.1', port: 0 },
}: NameServerOptions): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const { name, end } = readName(query);
    asked.push(name);
    if (silent !== undefined && name.endsWith(silent)) return;
    const known = names[name];
    const isAnswered = known !== undefined && query.readUInt16BE(end) === TYPE_A;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (known === undefined ? NAME_ERROR : 0), 2);
    header.writeUInt16BE(isAnswered ? 1 : 0, 6);
    header.fill(0, 8);
    const answer = isAnswered
      ? Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, ...known.split('.').map(Number)])
      : Buffer.alloc(0);
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), answer]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(wanted, host, resolve));
  return {
    address: `${host}:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}
