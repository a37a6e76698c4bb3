// Name servers for a resolver that cannot be bound to an interface (c-ares, as Node has it): for each of them a port on
// this machine, whose questions go on by sockets that are bound. One socket for each question, so that its port is
// another each time. Servers on this machine are left out: they would ask others by any interface.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { closeDatagrams } from './close-datagrams.js';

/** Questions under way at a server; c-ares asks some 32 at a time. */
const MAX_QUESTIONS = 128;
/** Longer than the resolver waits. */
const ANSWER_MS = 6_000;
const DNS_PORT = 53;

interface Server {
  readonly host: string;
  readonly port: number;
}

export class NameRelays {
  #opening: Promise<readonly string[]> | null = null;
  readonly #sockets = new Set<Socket>();

  /** `openSocket`: one that is bound. `servers`: null for the system's. */
  constructor(
    private readonly openSocket: (family: 4 | 6) => Socket,
    private readonly servers: readonly string[] | null,
  ) {}

  /** Addresses and ports to ask instead of the name servers; none where there is no server that may be asked. */
  open(): Promise<readonly string[]> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  close(): void {
    this.#opening = null;
    for (const socket of this.#sockets) closeDatagrams(socket);
    this.#sockets.clear();
  }

  async #open(): Promise<readonly string[]> {
    const servers = (this.servers ?? new dns.Resolver().getServers())
      .map(parseServer)
      .filter((one) => !isLoopback(one));
    return Promise.all(servers.map((server) => this.#relay(server)));
  }

  async #relay(server: Server): Promise<string> {
    const inner = createSocket('udp4');
    inner.on('error', () => undefined);
    await new Promise<void>((resolve) => inner.bind({ address: '127.0.0.1', port: 0, exclusive: true }, resolve));
    this.#keep(inner);
    let questions = 0;
    inner.on('message', (question, asker) => {
      if (questions >= MAX_QUESTIONS) return;
      questions++;
      this.#pass(question, server, inner, asker, () => questions--);
    });
    return `127.0.0.1:${inner.address().port}`;
  }

  #pass(question: Uint8Array, { host, port }: Server, inner: Socket, asker: RemoteInfo, done: () => void): void {
    let outer: Socket;
    try {
      outer = this.openSocket(isIP(host) === 6 ? 6 : 4);
    } catch {
      // The resolver takes silence for what it is.
      return void done();
    }
    this.#keep(outer);
    const timer = setTimeout(() => closeDatagrams(outer), ANSWER_MS).unref();
    outer.once('close', () => {
      clearTimeout(timer);
      done();
    });
    outer.on('error', () => undefined);
    outer.on('message', (answer, from) => {
      if (from.port !== port || from.address !== host) return;
      if (this.#sockets.has(inner)) inner.send(answer, asker.port, asker.address);
      closeDatagrams(outer);
    });
    outer.send(question, port, host, (error) => {
      if (error) closeDatagrams(outer);
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}

/** The form of `--name-servers` and of Node: an address, in brackets with a port where it is IPv6. */
function parseServer(text: string): Server {
  if (isIP(text) !== 0) return { host: text, port: DNS_PORT };
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [];
  return { host: bracketed ?? plain ?? text, port: port === undefined ? DNS_PORT : Number(port) };
}

function isLoopback({ host }: Server): boolean {
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
