// The little of Swarmd's HTTP API that a transfer needs: sign in, add a torrent, look at it, act on it.
import { z } from 'zod';
import type { Payload } from '../support/payload.js';

const torrentsSchema = z.array(z.object({ id: z.string(), completed: z.boolean(), verifying: z.boolean() }));
const addedSchema = z.object({ id: z.string() });

export type SwarmdTorrent = z.infer<typeof torrentsSchema>[number];

export class SwarmdClient {
  #id = '';

  private constructor(
    readonly url: string,
    private readonly cookie: string,
  ) {}

  static async signIn(url: string, password: string): Promise<SwarmdClient> {
    const body = JSON.stringify({ username: 'admin', password });
    const response = await fetch(`${url}/api/login`, { method: 'POST', body });
    const cookie = response.headers.get('set-cookie')?.split(';')[0];
    if (!response.ok || cookie === undefined) throw new Error(`swarmd: login: ${response.status}`);
    return new SwarmdClient(url, cookie);
  }

  async add(payload: Payload, savePath: string): Promise<void> {
    const form = new FormData();
    form.set('save_path', savePath);
    form.set('file', new Blob([payload.torrentBytes]), 'payload.torrent');
    this.#id = addedSchema.parse(await this.#ask('POST', '/api/torrents/file', form)).id;
  }

  async torrent(): Promise<SwarmdTorrent> {
    const torrents = torrentsSchema.parse(await this.#ask('GET', '/api/torrents'));
    const torrent = torrents.find(({ id }) => id === this.#id);
    if (!torrent) throw new Error(`swarmd: torrent ${this.#id} is not listed`);
    return torrent;
  }

  async post(action: 'recheck' | 'peers', body?: unknown): Promise<void> {
    const json = body === undefined ? undefined : JSON.stringify(body);
    await this.#ask('POST', `/api/torrents/${this.#id}/${action}`, json);
  }

  /** So many connections of a torrent. */
  async allowPeers(count: number): Promise<void> {
    const path = '/api/settings/peer_limits';
    const stored = z.record(z.string(), z.unknown()).parse(await this.#ask('GET', path));
    await this.#ask('PUT', path, JSON.stringify({ ...stored, max_peers_per_torrent: count }));
  }

  /** With its files. */
  async remove(): Promise<void> {
    await this.#ask('DELETE', `/api/torrents/${this.#id}?delete=1`);
  }

  async #ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: string | FormData): Promise<unknown> {
    // A cookie acts only together with the origin it belongs to.
    const headers = { cookie: this.cookie, origin: this.url };
    const response = await fetch(this.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`swarmd: ${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }
}
