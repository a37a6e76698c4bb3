// CONNECT and UDP ASSOCIATE by SOCKS5 (RFC 1928), with a user name and password where there are any (RFC 1929). Names are sent as names:
// the proxy resolves them.
import ipaddr from 'ipaddr.js';
import type { ProxyCredentials } from './network-options.js';
import type { TunnelHandshake, TunnelStep, TunnelTarget } from './tunnel-types.js';

const VERSION = 5;
const COMMANDS = { connect: 1, associate: 3 } as const;
const NO_AUTHENTICATION = 0;
const USERNAME_PASSWORD = 2;
const AUTHENTICATION_VERSION = 1;
const ATYP_IPV4 = 1;
const ATYP_NAME = 3;
const ATYP_IPV6 = 4;
/** Version, reply, reserved, type of address. */
const REPLY_HEAD_BYTES = 4;
const PORT_BYTES = 2;

/** RFC 1928, section 6. */
const REPLIES: readonly string[] = [
  '',
  'the proxy failed',
  'refused by the rules of the proxy',
  'network unreachable from the proxy',
  'host unreachable from the proxy',
  'connection refused',
  'timed out behind the proxy',
  'the proxy cannot do this',
  'the proxy does not know such addresses',
];

type State = 'method' | 'authentication' | 'reply';

export class Socks5Connect implements TunnelHandshake {
  #state: State = 'method';
  #received: Buffer = Buffer.alloc(0);

  constructor(
    private readonly target: TunnelTarget,
    private readonly credentials: ProxyCredentials | null,
    private readonly command: keyof typeof COMMANDS = 'connect',
  ) {}

  begin(): Uint8Array {
    const methods = this.credentials ? [NO_AUTHENTICATION, USERNAME_PASSWORD] : [NO_AUTHENTICATION];
    return Uint8Array.from([VERSION, methods.length, ...methods]);
  }

  push(bytes: Uint8Array): TunnelStep {
    // A copy, since the bytes are not ours; a few hundred at most before it is done.
    this.#received = Buffer.concat([this.#received, bytes]);
    let send: Uint8Array | null = null;
    for (;;) {
      const step = this.#step();
      if (step === null) return { kind: 'more', send };
      if (step.kind !== 'more') return step;
      send = step.send;
    }
  }

  /** null: there is not enough yet. */
  #step(): TunnelStep | null {
    switch (this.#state) {
      case 'method':
        return this.#onMethod();
      case 'authentication':
        return this.#onAuthentication();
      case 'reply':
        return this.#onReply();
    }
  }

  #onMethod(): TunnelStep | null {
    const answer = this.#take(2);
    if (!answer) return null;
    if (answer[0] !== VERSION) return { kind: 'failed', reason: 'the proxy does not speak SOCKS5' };
    if (answer[1] === NO_AUTHENTICATION) return this.#request();
    if (answer[1] !== USERNAME_PASSWORD || !this.credentials) return failed('the proxy wants other credentials');
    this.#state = 'authentication';
    return { kind: 'more', send: authentication(this.credentials) };
  }

  #onAuthentication(): TunnelStep | null {
    const answer = this.#take(2);
    if (!answer) return null;
    return answer[1] === 0 ? this.#request() : failed('the proxy refuses the credentials');
  }

  #onReply(): TunnelStep | null {
    const received = this.#received;
    if (received.length < REPLY_HEAD_BYTES + 1) return null;
    if (received[0] !== VERSION) return failed('the proxy does not speak SOCKS5');
    const reply = received[1]!;
    if (reply !== 0) return failed(REPLIES[reply] ?? 'the proxy failed');
    const addressBytes = boundAddressBytes(received[3]!, received[4]!);
    if (addressBytes === null) return failed('the proxy does not speak SOCKS5');
    const whole = this.#take(REPLY_HEAD_BYTES + addressBytes + PORT_BYTES);
    if (!whole) return null;
    const bound = readAddress(whole.subarray(REPLY_HEAD_BYTES - 1));
    return { kind: 'open', rest: this.#received, ...(bound ? { bound: bound.from } : {}) };
  }

  #request(): TunnelStep {
    this.#state = 'reply';
    return {
      kind: 'more',
      send: Buffer.concat([Buffer.from([VERSION, COMMANDS[this.command], 0]), writeAddress(this.target)]),
    };
  }

  #take(length: number): Buffer | null {
    if (this.#received.length < length) return null;
    const taken = this.#received.subarray(0, length);
    this.#received = this.#received.subarray(length);
    return taken;
  }
}

function failed(reason: string): TunnelStep {
  return { kind: 'failed', reason };
}

function authentication({ username, password }: ProxyCredentials): Uint8Array {
  const [name, secret] = [Buffer.from(username), Buffer.from(password)];
  return Buffer.concat([
    Buffer.from([AUTHENTICATION_VERSION, name.length]),
    name,
    Buffer.from([secret.length]),
    secret,
  ]);
}

/** Type, address or name, and port; also at the beginning of each datagram. */
export function writeAddress({ host, port }: TunnelTarget): Buffer {
  const portBytes = Buffer.from([port >> 8, port & 0xff]);
  if (!ipaddr.isValid(host)) {
    const name = Buffer.from(host);
    return Buffer.concat([Buffer.from([ATYP_NAME, name.length]), name, portBytes]);
  }
  const bytes = ipaddr.process(host).toByteArray();
  return Buffer.concat([Buffer.from([bytes.length === 4 ? ATYP_IPV4 : ATYP_IPV6, ...bytes]), portBytes]);
}

/** The form of {@link writeAddress}, and its length; null where it is a name, or cut off. */
export function readAddress(bytes: Uint8Array): { readonly from: TunnelTarget; readonly length: number } | null {
  const addressBytes = bytes[0] === ATYP_IPV4 ? 4 : 16;
  const length = 1 + addressBytes + PORT_BYTES;
  if ((bytes[0] !== ATYP_IPV4 && bytes[0] !== ATYP_IPV6) || bytes.length < length) return null;
  const host = ipaddr.fromByteArray([...bytes.subarray(1, 1 + addressBytes)]).toString();
  return { from: { host, port: (bytes[length - 2]! << 8) | bytes[length - 1]! }, length };
}

/** The length of the address in a reply; null for a type that there is not. */
function boundAddressBytes(type: number, first: number): number | null {
  switch (type) {
    case ATYP_IPV4:
      return 4;
    case ATYP_IPV6:
      return 16;
    case ATYP_NAME:
      return 1 + first;
    default:
      return null;
  }
}
