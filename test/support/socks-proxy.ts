// A SOCKS5 proxy on loopback (RFC 1928, 1929), which really connects: written from the RFCs, not from our side of them,
// so that the two check each other. Knows names that nobody else does, and remembers what it was asked for.
import { createSocket } from 'node:dgram';
import { connect, createServer, isIPv4, type Socket } from 'node:net';

export interface SocksProxy {
  readonly port: number;
  /** `host:port` of each CONNECT, in the form that it came in. */
  readonly targets: readonly string[];
  /** `host:port` of each datagram, in the form that it came in; and the port that datagrams are taken on. */
  readonly datagrams: readonly string[];
  readonly relayPort: number;
  /** Clients that were turned away for their credentials. */
  readonly turnedAway: number;
  close(): Promise<void>;
}

export interface SocksProxyOptions {
  /** Addresses by name. */
  readonly names?: Readonly<Record<string, string>>;
  /** @default none are asked for */
  readonly credentials?: { readonly username: string; readonly password: string };
}

export async function startSocksProxy({ names = {}, credentials }: SocksProxyOptions = {}): Promise<SocksProxy> {
  const targets: string[] = [];
  const datagrams: string[] = [];
  const relay = createSocket('udp4');
  /** Who asked last: one client at a time is enough here. */
  let asker = { address: '', port: 0 };
  const sockets = new Set<Socket>();
  let turnedAway = 0;
  const server = createServer((client) => {
    keep(client);
    serve(client).catch(() => client.destroy());
  });

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  }

  async function serve(client: Socket): Promise<void> {
    const read = reader(client);
    const [, methodCount = 0] = await read(2);
    const methods = await read(methodCount);
    const method = credentials ? 2 : 0;
    if (!methods.includes(method)) return void client.end(Buffer.from([5, 0xff]));
    client.write(Buffer.from([5, method]));
    if (credentials) {
      const [, nameLength = 0] = await read(2);
      const username = (await read(nameLength)).toString();
      const password = (await read((await read(1))[0] ?? 0)).toString();
      const isRight = username === credentials.username && password === credentials.password;
      client.write(Buffer.from([1, isRight ? 0 : 1]));
      if (!isRight) {
        turnedAway++;
        return void client.end();
      }
    }
    const [, command, , type] = await read(4);
    const host = await readHost(read, type ?? 0);
    const port = (await read(2)).readUInt16BE(0);
    if (command === 3) return void client.write(Buffer.concat([answer(0).subarray(0, 8), int16(relay.address().port)]));
    targets.push(`${host}:${port}`);
    if (command !== 1) return void client.end(answer(7));
    const address = isIPv4(host) ? host : names[host];
    if (address === undefined) return void client.end(answer(4));
    const target = keep(connect({ host: address, port }));
    target.once('error', () => client.end(answer(5)));
    target.once('connect', () => {
      client.write(answer(0));
      client.pipe(target).pipe(client);
    });
    target.once('close', () => client.destroy());
    client.once('close', () => target.destroy());
  }

  relay.on('message', (bytes, { address, port }) => {
    const fromTarget =
      bytes.length < 4 || bytes.readUInt16BE(0) !== 0 || bytes[2] !== 0 || ![1, 3].includes(bytes[3] ?? 0);
    if (fromTarget || (asker.port !== 0 && port !== asker.port)) {
      const from = Buffer.from([0, 0, 0, 1, ...address.split('.').map(Number)]);
      return relay.send(Buffer.concat([from, int16(port), bytes]), asker.port, asker.address);
    }
    asker = { address, port };
    const isName = bytes[3] === 3;
    const end = isName ? 5 + (bytes[4] ?? 0) : 8;
    const host = isName ? bytes.toString('latin1', 5, end) : [...bytes.subarray(4, 8)].join('.');
    const target = bytes.readUInt16BE(end);
    datagrams.push(`${host}:${target}`);
    const to = isName ? names[host] : host;
    if (to !== undefined) relay.send(bytes.subarray(end + 2), target, to);
  });
  await new Promise<void>((resolve) => relay.bind(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    targets,
    datagrams,
    relayPort: relay.address().port,
    get turnedAway() {
      return turnedAway;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        relay.close();
        for (const socket of sockets) socket.destroy();
      }),
  };
}

type Read = (length: number) => Promise<Buffer>;

/** Exactly so many bytes, one call after another. */
function reader(socket: Socket): Read {
  return (length) =>
    new Promise((resolve, reject) => {
      if (length === 0) return resolve(Buffer.alloc(0));
      const onEnd = (): void => reject(new Error('ended'));
      const look = (): void => {
        const bytes = socket.read(length) as Buffer | null; // no encoding is set
        if (bytes === null) return;
        socket.off('readable', look).off('end', onEnd);
        resolve(bytes);
      };
      socket.on('readable', look).once('end', onEnd);
      look();
    });
}

async function readHost(read: Read, type: number): Promise<string> {
  if (type === 3) return (await read((await read(1))[0] ?? 0)).toString();
  if (type === 1) return [...(await read(4))].join('.');
  return (await read(16)).toString('hex').replace(/(.{4})(?!$)/g, '$1:');
}

function int16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

function answer(reply: number): Buffer {
  return Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]);
}
