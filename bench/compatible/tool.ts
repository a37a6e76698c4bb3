// A tool of qBittorrent's or Transmission's interface, as far as it asks for torrents: signed in as the program wants it, over
// a connection of its own.
import type { OutgoingHttpHeaders } from 'node:http';
import type { LibraryName } from '../libraries/index.js';
import { KeepAliveClient, type Reply } from '../support/keep-alive-client.js';

const SESSION = 'x-transmission-session-id';

export class Tool {
  readonly #client: KeepAliveClient;
  readonly #credential: OutgoingHttpHeaders;
  #session = '';
  #cookie = '';
  /** The number of the last answer of `sync/maindata`. */
  #rid = 0;

  /** `key`: of an account, where one is asked for. */
  constructor(program: LibraryName, url: string, key: string | undefined) {
    // Transmission's daemon writes an answer in two parts (keep-alive-client.ts).
    this.#client = new KeepAliveClient(url, 1, program !== 'transmission');
    this.#credential = key === undefined ? {} : { authorization: `Bearer ${key}` };
  }

  /** Bytes of the answer. @throws Error when it is none of success */
  async info(): Promise<number> {
    return (await this.#read('torrents/info')).length;
  }

  /** The same: all there is, or what changed since the last one. */
  async mainData(isFull: boolean): Promise<number> {
    const body = await this.#read(`sync/maindata?rid=${isFull ? 0 : this.#rid}`);
    this.#rid = Number(/"rid":(\d+)/.exec(body.toString('latin1'))?.[1]);
    return body.length;
  }

  /** The same. */
  async torrentGet(fields: readonly string[]): Promise<number> {
    return (await this.#call('torrent-get', { fields })).length;
  }

  /** For Transmission, which verifies ten torrents a second for as long as they run. */
  async stopAll(): Promise<void> {
    await this.#call('torrent-stop', {});
  }

  close(): void {
    this.#client.close();
  }

  /** A session is what qBittorrent remembers answers by. */
  async #read(path: string): Promise<Buffer> {
    const headers = { ...this.#credential, ...(this.#cookie && { cookie: this.#cookie }) };
    const reply = await this.#client.demand('GET', `/api/v2/${path}`, headers);
    const [cookie] = String(reply.headers['set-cookie'] ?? '').split(';');
    if (cookie) this.#cookie = cookie;
    return reply.body;
  }

  /** The first call is refused with the session id that all further ones must carry. */
  async #call(method: string, args: object): Promise<Buffer> {
    const ask = (): Promise<Reply> => {
      const headers = { ...this.#credential, [SESSION]: this.#session };
      return this.#client.ask('POST', '/transmission/rpc', headers, JSON.stringify({ method, arguments: args }));
    };
    let reply = await ask();
    if (reply.status === 409) {
      this.#session = String(reply.headers[SESSION]);
      reply = await ask();
    }
    if (reply.status !== 200) throw new Error(`${method}: ${reply.status}`);
    return reply.body;
  }
}
