// CONNECT by HTTP/1.1 (RFC 9110, 9.3.6), with basic credentials where there are any. Names are sent as names: the proxy
// resolves them.
import type { ProxyCredentials } from './network-options.js';
import type { TunnelHandshake, TunnelStep, TunnelTarget } from './tunnel-types.js';

/** An answer without its body, which a CONNECT that succeeds does not have. */
const MAX_ANSWER_BYTES = 16 * 1024;
const END = '\r\n\r\n';

export class HttpConnect implements TunnelHandshake {
  #received: Buffer = Buffer.alloc(0);

  constructor(
    private readonly target: TunnelTarget,
    private readonly credentials: ProxyCredentials | null,
  ) {}

  begin(): Uint8Array {
    const { host, port } = this.target;
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
    if (this.credentials) {
      const { username, password } = this.credentials;
      lines.push(`Proxy-Authorization: Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
    }
    return Buffer.from(`${lines.join('\r\n')}${END}`);
  }

  push(bytes: Uint8Array): TunnelStep {
    this.#received = Buffer.concat([this.#received, bytes]);
    const end = this.#received.indexOf(END);
    if (end < 0) {
      if (this.#received.length > MAX_ANSWER_BYTES) return { kind: 'failed', reason: 'the proxy does not speak HTTP' };
      return { kind: 'more', send: null };
    }
    const [, status] = /^HTTP\/1\.[01] (\d{3})\b/.exec(this.#received.subarray(0, end).toString('latin1')) ?? [];
    if (status === undefined) return { kind: 'failed', reason: 'the proxy does not speak HTTP' };
    if (status === '407') return { kind: 'failed', reason: 'the proxy refuses the credentials' };
    if (!status.startsWith('2')) return { kind: 'failed', reason: `the proxy answers ${status}` };
    return { kind: 'open', rest: this.#received.subarray(end + END.length) };
  }
}
