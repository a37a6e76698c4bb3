// The servers that an account may move torrents between: this one and its remotes, each asked by the routes of the API. What
// the account may not do itself, no move does for it.
import type { z } from 'zod';
import { newIdSchema, okSchema } from '../../../shared-protocol/dto/fields.js';
import { detailSchema, piecesSchema } from '../../../shared-protocol/dto/inspector.js';
import { categoryListSchema, tagListSchema } from '../../../shared-protocol/dto/labels.js';
import { statusSchema } from '../../../shared-protocol/dto/status.js';
import { addedSchema, peersAddedSchema, type TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import { trackerListSchema } from '../../../shared-protocol/dto/trackers.js';
import type { Account } from '../../auth/account.js';
import { UploadBody, type RemoteAnswer, type RemoteRequest } from '../remotes/ask-remote.js';

/** A server; null: this one. */
export type ServerId = number | null;

/** The way to the routes of every server, as one account. */
export interface Servers {
  /** @throws RequestError `REMOTE_AWAY`, `UPSTREAM_FAILED`, `TOO_MANY_REQUESTS`: to be tried again; `NOT_FOUND`: no such server */
  ask<Value>(
    account: Account,
    server: ServerId,
    request: RemoteRequest,
    schema: z.ZodType<Value>,
  ): Promise<RemoteAnswer<Value>>;
  /** @throws as {@link ask} */
  file(account: Account, server: ServerId, request: RemoteRequest): Promise<RemoteAnswer<Uint8Array>>;
  /** The torrent as the account is shown it there; null: it is not. @throws as {@link ask} */
  torrent(account: Account, server: ServerId, infohash: string): Promise<TorrentDto | null>;
  /** Addresses of the server that may be connected to; none of this one, which connects by itself. */
  addresses(account: Account, server: ServerId): Promise<readonly string[]>;
  nameOf(account: Account, server: ServerId): string;
  /** This one, and the remotes that the account sees. */
  all(account: Account): readonly ServerId[];
  /** Whether the account is shown the torrent there; of a server that is away as it was last. */
  has(account: Account, server: ServerId, infohash: string): Promise<boolean>;
}

/** The part of it that is about one torrent. */
export type ServerWays = Pick<Servers, 'ask' | 'file' | 'torrent' | 'addresses' | 'nameOf'>;

/** A request that the server refuses: it would be refused again. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'Refused';
  }
}

export interface NamedLabels {
  readonly category: string | null;
  readonly tags: readonly string[];
}

/** One server, asked about one torrent for one account. */
export class ServerEnd {
  constructor(
    private readonly servers: ServerWays,
    private readonly account: Account,
    readonly server: ServerId,
    private readonly infohash: string,
  ) {}

  get name(): string {
    return this.servers.nameOf(this.account, this.server);
  }

  look(): Promise<TorrentDto | null> {
    return this.servers.torrent(this.account, this.server, this.infohash);
  }

  /** Asked at this moment: what is shown of a remote is a second old. */
  async isPaused(): Promise<boolean> {
    return (await this.#ask('GET', `${this.#path}/details?tabs=overview`, detailSchema)).paused;
  }

  /** Whether every piece is there, asked at this moment. */
  async isWhole(): Promise<boolean> {
    const { piece_count, have } = await this.#ask('GET', `${this.#path}/pieces`, piecesSchema);
    const bits = Buffer.from(have, 'base64');
    let pieces = 0;
    for (const byte of bits) for (let rest = byte; rest > 0; rest &= rest - 1) pieces++;
    return piece_count > 0 && pieces === piece_count;
  }

  async torrentFile(): Promise<Uint8Array> {
    const answer = await this.servers.file(this.account, this.server, { method: 'GET', path: `${this.#path}/file` });
    if (answer.kind === 'value') return answer.value;
    throw new Refused(answer.status, answer.said.error);
  }

  /** Announce addresses in their tiers. */
  async tiers(): Promise<string[][]> {
    const tiers = new Map<number, string[]>();
    for (const { tier, url } of await this.#ask('GET', `${this.#path}/trackers`, trackerListSchema)) {
      const urls = tiers.get(tier);
      if (urls) urls.push(url);
      else tiers.set(tier, [url]);
    }
    return [...tiers].toSorted(([one], [other]) => one - other).map(([, urls]) => urls);
  }

  async setTiers(tiers: readonly (readonly string[])[]): Promise<void> {
    await this.#ask('PUT', `${this.#path}/trackers`, okSchema, { tiers });
  }

  /** Paused, with all of its files; with the labels of those names, as far as they are there or may be made. */
  async add(file: Uint8Array, savePath: string, labels: NamedLabels): Promise<void> {
    const fields = { paused: true, save_path: savePath, excluded_file_names: [], ...(await this.labelIds(labels)) };
    const form = new UploadBody(file, fields);
    await this.#ask('POST', '/api/torrents/file', addedSchema, form);
  }

  /** The labels of those names there, made where that may be; what is not there is left out. */
  async labelIds({ category, tags }: NamedLabels): Promise<{ category_id: number | null; tags?: number[] }> {
    const category_id = category === null ? null : await this.#categoryNamed(category);
    const ids: number[] = [];
    for (const name of tags) {
      const id = await this.#tagNamed(name);
      if (id !== null) ids.push(id);
    }
    return { category_id, ...(ids.length > 0 ? { tags: ids } : {}) };
  }

  async labelsOf({ category_id, tags }: Pick<TorrentDto, 'category_id' | 'tags'>): Promise<NamedLabels> {
    const names = tags.map(({ name }) => name);
    if (category_id === null) return { category: null, tags: names };
    const categories = await this.#ask('GET', '/api/categories', categoryListSchema);
    return { category: categories.find(({ id }) => id === category_id)?.name ?? null, tags: names };
  }

  /** Where peers reach it; none where it does not tell its port. */
  async peerAddresses(): Promise<string[]> {
    const hosts = await this.servers.addresses(this.account, this.server);
    if (hosts.length === 0) return [];
    const { port } = await this.#ask('GET', '/api/status', statusSchema);
    if (!port.number) return [];
    return hosts.map((host) => (host.includes(':') ? `[${host}]:${port.number}` : `${host}:${port.number}`));
  }

  async addPeers(peers: readonly string[]): Promise<void> {
    await this.#ask('POST', `${this.#path}/peers`, peersAddedSchema, { peers });
  }

  async pause(): Promise<void> {
    await this.#ask('POST', `${this.#path}/pause`, okSchema);
  }

  async resume(): Promise<void> {
    await this.#ask('POST', `${this.#path}/resume`, okSchema);
  }

  async remove(deleteData: boolean): Promise<void> {
    await this.#ask('DELETE', `${this.#path}${deleteData ? '?delete=1' : ''}`, okSchema);
  }

  get #path(): string {
    return `/api/torrents/${this.infohash}`;
  }

  async #categoryNamed(name: string): Promise<number | null> {
    const known = (await this.#ask('GET', '/api/categories', categoryListSchema)).find((each) => each.name === name);
    if (known) return known.id;
    return this.#made('/api/categories', { name, default_save_path: '', color: '' });
  }

  async #tagNamed(name: string): Promise<number | null> {
    const known = (await this.#ask('GET', '/api/tags', tagListSchema)).find((each) => each.name === name);
    return known ? known.id : this.#made('/api/tags', { name, color: '' });
  }

  /** The id; null where the account may make none there. */
  async #made(path: string, label: object): Promise<number | null> {
    try {
      return (await this.#ask('POST', path, newIdSchema, label)).id;
    } catch (error) {
      if (error instanceof Refused) return null;
      throw error;
    }
  }

  /** @throws Refused; as {@link Servers.ask} */
  async #ask<Value>(method: string, path: string, schema: z.ZodType<Value>, body?: unknown): Promise<Value> {
    const request = { method, path, ...(body === undefined ? {} : { body }) };
    const answer = await this.servers.ask(this.account, this.server, request, schema);
    if (answer.kind === 'value') return answer.value;
    throw new Refused(answer.status, answer.said.error);
  }
}
