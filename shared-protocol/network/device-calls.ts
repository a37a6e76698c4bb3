// Sockets that the kernel holds to one interface (SO_BINDTODEVICE of Linux), which Node does not offer: made by the C
// library through koffi (docs/decisions/0013-koffi-for-seek-data.md) and handed to Node by their descriptor. A source
// address alone would not do: Linux sends a packet by whatever route leads to its target, whoever's address it bears
// (docs/decisions/0027-one-way-out.md).
import ipaddr from 'ipaddr.js';
import { loadCLibrary, type CLibrary } from '../c-library.js';

export interface DeviceSocketOptions {
  readonly type: 'tcp' | 'udp';
  readonly family: 4 | 6;
  readonly device: string;
  /** The address and port to bind to; null: none, as for sockets that connect. */
  readonly local: { readonly host: string; readonly port: number } | null;
  /** Several may have the port; always for listeners of TCP. @default false */
  readonly isShared?: boolean;
}

export interface DeviceCalls {
  /** The index of an interface; 0: there is none of the name. One that went and came back has another. */
  indexOf(device: string): number;
  /** A descriptor, which is the caller's. @throws Error with a `code` */
  open(options: DeviceSocketOptions): number;
  close(fd: number): void;
}

/** Numbers of Linux, the same on all architectures on which the library is called. */
const AF_INET = 2;
const AF_INET6 = 10;
const SOCK_STREAM = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const SOL_SOCKET = 1;
const SO_REUSEADDR = 2;
const SO_BINDTODEVICE = 25;
const IPPROTO_IPV6 = 41;
const IPV6_V6ONLY = 26;

const CODES: Readonly<Record<number, string>> = {
  1: 'EPERM',
  13: 'EACCES',
  19: 'ENODEV',
  24: 'EMFILE',
  97: 'EAFNOSUPPORT',
  98: 'EADDRINUSE',
  99: 'EADDRNOTAVAIL',
};

let calls: DeviceCalls | null | undefined;

/** null where sockets cannot be held to an interface. */
export function deviceCalls(): DeviceCalls | null {
  calls ??= load();
  return calls;
}

function load(): DeviceCalls | null {
  const library = loadCLibrary();
  return library && new LibraryCalls(library);
}

class LibraryCalls implements DeviceCalls {
  readonly #socket;
  readonly #setOption;
  readonly #bind;
  readonly #indexOf;
  readonly #close;

  constructor(private readonly library: CLibrary) {
    this.#socket = library.func('int socket(int domain, int type, int protocol)');
    this.#setOption = library.func('int setsockopt(int fd, int level, int name, const void *value, uint32_t length)');
    this.#bind = library.func('int bind(int fd, const void *address, uint32_t length)');
    // Not by Node, which in a worker keeps account of descriptors that it has opened itself.
    this.#close = library.func('int close(int fd)');
    this.#indexOf = library.func('uint32_t if_nametoindex(const char *name)');
  }

  indexOf(device: string): number {
    return this.#indexOf(device);
  }

  open({ type, family, device, local, isShared = false }: DeviceSocketOptions): number {
    const domain = family === 4 ? AF_INET : AF_INET6;
    const fd = this.#socket(domain, (type === 'tcp' ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);
    if (fd < 0) throw this.#failed('socket');
    try {
      const name = Buffer.from(`${device}\0`);
      this.#check('SO_BINDTODEVICE', this.#setOption(fd, SOL_SOCKET, SO_BINDTODEVICE, name, name.length));
      if (family === 6) this.#turnOn(fd, IPPROTO_IPV6, IPV6_V6ONLY);
      if (isShared) this.#turnOn(fd, SOL_SOCKET, SO_REUSEADDR);
      if (local) {
        const address = socketAddress(local.host, local.port);
        this.#check('bind', this.#bind(fd, address, address.length));
      }
      return fd;
    } catch (error) {
      this.close(fd);
      throw error;
    }
  }

  close(fd: number): void {
    this.#close(fd);
  }

  #turnOn(fd: number, level: number, name: number): void {
    const one = Buffer.alloc(4);
    one.writeInt32LE(1);
    this.#check('setsockopt', this.#setOption(fd, level, name, one, one.length));
  }

  #check(call: string, result: number): void {
    if (result !== 0) throw this.#failed(call);
  }

  #failed(call: string): Error {
    const number = this.library.errno();
    const code = CODES[number] ?? `ERRNO_${number}`;
    return Object.assign(new Error(`${call}: ${code}`), { code });
  }
}

/**
 * A `sockaddr_in` or `sockaddr_in6`. The families are in the machine's order, which is little-endian, ports are not.
 */
function socketAddress(host: string, port: number): Buffer {
  const address = ipaddr.parse(host);
  const bytes = Buffer.from(address.toByteArray());
  const isIPv4 = bytes.length === 4;
  const packed = Buffer.alloc(isIPv4 ? 16 : 28);
  packed.writeUInt16LE(isIPv4 ? AF_INET : AF_INET6, 0);
  packed.writeUInt16BE(port, 2);
  bytes.copy(packed, isIPv4 ? 4 : 8);
  return packed;
}
