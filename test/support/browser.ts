// A browser's worth of one account: its cookie jar, the Origin it sends, and its WebSockets; or a script's: an API key.
// Each sign-in comes from an address of its own, so the API must be started with THROUGH_A_PROXY.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Answer, Harness } from './api-harness.js';

/** The login limit is per address, and behind a trusted proxy the client says which it is. */
export const THROUGH_A_PROXY = ['--trusted-proxies', '127.0.0.1/32'];
let addresses = 0;

interface Frame {
  readonly type: string;
  readonly payload: unknown;
  readonly text: string;
}

export class LiveSocket {
  readonly #socket: WebSocket;
  readonly frames: Frame[] = [];
  /** null while it is open. */
  ended: { readonly code: number; readonly reason: string } | null = null;

  constructor(url: string, headers: Readonly<Record<string, string>>, query = '') {
    this.#socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws${query}`, { headers });
    this.#socket.on('message', (data) => {
      const text = String(data);
      this.frames.push({ ...(JSON.parse(text) as Omit<Frame, 'text'>), text });
    });
    this.#socket.on('close', (code, reason) => (this.ended = { code, reason: String(reason) }));
    // `close` follows, also after a refused upgrade.
    this.#socket.on('error', () => undefined);
  }

  /** The first frame of the type from now on. */
  async next<Payload = unknown>(type: string): Promise<Payload> {
    for (let from = this.frames.length; ;) {
      const found = this.frames.slice(from).find((frame) => frame.type === type);
      if (found) return found.payload as Payload;
      if (this.ended) throw new Error(`closed: ${this.ended.code} ${this.ended.reason}`);
      from = this.frames.length;
      await Promise.race([once(this.#socket, 'message'), once(this.#socket, 'close')]);
    }
  }

  /** How it ended; null when it has not within the time. */
  async closedWithin(ms: number): Promise<{ readonly code: number; readonly reason: string } | null> {
    if (!this.ended) await once(this.#socket, 'close', { signal: AbortSignal.timeout(ms) }).catch(() => undefined);
    return this.ended;
  }

  /** Resolves when both sides have. */
  async close(): Promise<void> {
    this.#socket.close();
    if (!this.ended) await once(this.#socket, 'close');
  }
}

/** Who asks, by one credential. */
export class Client {
  constructor(
    private readonly harness: Harness,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.harness.call(method, path, { headers: this.headers, ...(body === undefined ? {} : { body }) });
  }

  /** The body; fails unless the answer is 200. */
  async ask<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.call(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json<Body>();
  }

  /** Whether the credential is still worth something. */
  async isKnown(): Promise<boolean> {
    return (await this.call('GET', '/api/me')).status === 200;
  }

  /** Open: it has its first frames. */
  async socket(query = ''): Promise<LiveSocket> {
    const socket = new LiveSocket(this.harness.daemon.url, this.headers, query);
    await socket.next('stats:tick');
    return socket;
  }
}

/** Signs in. */
export async function openBrowser(harness: Harness, username: string, password: string): Promise<Client> {
  const answer = await tryToSignIn(harness, username, password);
  if (answer.status !== 200) throw new Error(`login: ${answer.status} ${answer.text}`);
  const cookie = (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  return new Client(harness, { cookie, origin: harness.daemon.url });
}

export function tryToSignIn(harness: Harness, username: string, password: string): Promise<Answer> {
  const n = ++addresses;
  const headers = { origin: harness.daemon.url, 'x-forwarded-for': `10.9.${n >> 8}.${n & 255}` };
  return harness.call('POST', '/api/login', { headers, body: { username, password } });
}

/** A client with a fresh API key of the browser's account. */
export async function scriptOf(harness: Harness, browser: Client): Promise<Client> {
  const { api_key } = await browser.ask<{ api_key: string }>('POST', '/api/me/api_key/rotate');
  return new Client(harness, { authorization: `Bearer ${api_key}` });
}
