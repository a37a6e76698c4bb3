// The remotes: which there are, who sees each, and what is asked of it for whom. Owns: an account is shown nothing of a
// remote, not even that there is one, unless it is named in it; administrators set all of them up.
import type { z } from 'zod';
import type { NewRemote, RemoteChange, RemoteDto } from '../../../shared-protocol/dto/remotes.js';
import type { TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { Collection } from '../../../storage/types.js';
import type { Account } from '../../auth/account.js';
import type { Egress } from '../../egress/egress.js';
import { notFound, RequestError } from '../../errors.js';
import type { BackgroundService } from '../background-service.js';
import { asSaidBy, away, type RemoteAnswer, type RemoteRequest, RemoteRequests } from './ask-remote.js';
import { RemoteConnections, type RemoteConnectionsDeps } from './remote-connections.js';
import { baseUrlOf, checkRemote, MAX_REMOTES, type RemotesData, type StoredRemote } from './remote-records.js';

export interface RemotesDeps extends Omit<RemoteConnectionsDeps, 'egress' | 'remotes'> {
  readonly collection: Collection<RemotesData>;
  readonly egress: Pick<Egress, 'check' | 'ask' | 'listen'>;
  readonly isAccount: (id: number) => boolean;
}

/** Whether one is there, and how old what it told last is; null: it told nothing yet. */
export interface RemoteFigures {
  readonly name: string;
  readonly isUp: boolean;
  readonly heardMsAgo: number | null;
}

/** The end of what is told of a remote that has told of no list. */
const NOTHING_TOLD = Buffer.from('"full":true,"upsert":[],"removed":[]}');

/** Revisions of lists by server. */
export type Marks = ReadonlyMap<number, number>;

export class Remotes implements BackgroundService {
  readonly #connections: RemoteConnections;
  readonly #requests: RemoteRequests;

  constructor(private readonly deps: RemotesDeps) {
    this.#requests = new RemoteRequests(deps.egress);
    this.#connections = new RemoteConnections({ ...deps, remotes: () => this.#all });
    deps.collection.onChanged(() => void this.#connections.follow());
  }

  start(): void {
    this.#connections.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#connections.stop(), this.#requests.close()]);
  }

  /** All of them for administrators; those that name the account for others, without where they are. */
  list(account: Account): RemoteDto[] {
    if (account.role !== 'admin') return this.#seenBy(account).map((remote) => this.#shown(remote));
    return this.#all.map((remote) => {
      const { url, tls, user_ids } = remote;
      return { ...this.#shown(remote), url, tls, user_ids: [...user_ids] };
    });
  }

  /** The id. @throws RequestError `URL_REFUSED`, `NAME_TAKEN`, `QUOTA_EXCEEDED`, `BODY_INVALID`; AppError `STORAGE_FAILED` */
  async create(maker: AccountId, { user_ids = [maker], ...remote }: NewRemote): Promise<number> {
    const url = await this.#checkedUrl(remote.url, maker);
    this.#assertAccounts(user_ids);
    let made: StoredRemote | undefined;
    await this.deps.collection.update((data) => {
      if (data.remotes.length >= MAX_REMOTES)
        throw new RequestError('QUOTA_EXCEEDED', `servers: at most ${MAX_REMOTES}`, {
          of: 'servers',
          max: MAX_REMOTES,
        });
      const next = { ...remote, id: data.next_id, url, user_ids: [...new Set(user_ids)] };
      checkRemote(next, data.remotes);
      data.next_id++;
      data.remotes.push(next);
      made = next;
    });
    if (!made) throw new AppError('BUG', 'bug: an update resolves after it has run the change');
    await this.#connections.follow();
    return made.id;
  }

  /**
   * A key goes nowhere but where whoever gave it has said: another place needs it again.
   * @throws RequestError `NOT_FOUND`, and as {@link create}
   */
  async change(maker: AccountId, id: number, { user_ids, ...change }: RemoteChange): Promise<void> {
    this.#find(id);
    const moved = change.url === undefined ? {} : { url: await this.#checkedUrl(change.url, maker) };
    if (user_ids) this.#assertAccounts(user_ids);
    await this.deps.collection.update((data) => {
      const known = data.remotes.find((remote) => remote.id === id);
      if (!known) throw notFound('server');
      const changed = { ...known, ...given(change), ...moved, user_ids: [...new Set(user_ids ?? known.user_ids)] };
      if (change.api_key === undefined && (changed.url !== known.url || changed.tls !== known.tls)) {
        throw new RequestError('BODY_INVALID', 'api_key: required with another url or tls');
      }
      checkRemote(changed, data.remotes);
      data.remotes = data.remotes.map((remote) => (remote.id === id ? changed : remote));
    });
    await this.#connections.follow();
  }

  /** @throws RequestError `NOT_FOUND`; AppError `STORAGE_FAILED` */
  async remove(id: number): Promise<void> {
    this.#find(id);
    await this.deps.collection.update((data) => {
      data.remotes = data.remotes.filter((remote) => remote.id !== id);
    });
    await this.#connections.follow();
  }

  /** The account is gone: it is named in none. */
  async forgetAccount(accountId: AccountId): Promise<void> {
    if (!this.#all.some(({ user_ids }) => user_ids.includes(accountId))) return;
    await this.deps.collection.update((data) => {
      for (const remote of data.remotes) remote.user_ids = remote.user_ids.filter((id) => id !== accountId);
    });
  }

  /**
   * Torrents of all remotes that the account sees, or of one of them, each as JSON with a comma before it.
   * @throws RequestError `NOT_FOUND`
   */
  async torrentsFor(account: Pick<Account, 'id'>, only?: number): Promise<readonly Uint8Array[]> {
    return this.#connections.torrents(only === undefined ? this.seenBy(account) : [this.#seen(account, only).id]);
  }

  /**
   * The news for a client that has been told of these revisions, by server: of each remote of the account its state, and what
   * has changed; all of it where it was told nothing yet. Parts of the JSON of an array.
   */
  async changesFor(
    account: Pick<Account, 'id'>,
    told: Marks,
  ): Promise<{ readonly parts: readonly Uint8Array[]; readonly marks: Marks }> {
    const seen = this.#seenBy(account);
    const changes = await this.#connections.changes(new Map(seen.map(({ id }) => [id, told.get(id) ?? -1])));
    const marks = new Map<number, number>();
    const parts = seen.flatMap((remote, place) => {
      const { state } = this.#connections.standing(remote);
      const change = changes.get(remote.id);
      if (change) marks.set(remote.id, change.revision);
      const head = `${place === 0 ? '' : ','}{"server_id":${remote.id},"state":"${state}",`;
      return [Buffer.from(head), change?.bytes ?? NOTHING_TOLD];
    });
    return { parts: [Buffer.from('['), ...parts, Buffer.from(']')], marks };
  }

  /**
   * Asks a remote that the account sees; one that is known to be away is not waited for.
   * @throws RequestError `NOT_FOUND`: there is none, as far as the account is told; `REMOTE_AWAY`, `UPSTREAM_FAILED`,
   * `TOO_MANY_REQUESTS`
   */
  async ask<Value>(
    account: Pick<Account, 'id'>,
    id: number,
    request: RemoteRequest,
    schema: z.ZodType<Value>,
  ): Promise<RemoteAnswer<Value>> {
    return this.#requests.ask(account.id, this.#connected(account, id), request, schema);
  }

  /** The answer as it goes on to whoever asked: a short one as a value, a long one as its text. @throws as {@link ask} */
  async relay<Value>(
    account: Pick<Account, 'id'>,
    id: number,
    request: RemoteRequest,
    schema: z.ZodType<Value>,
  ): Promise<RemoteAnswer<Value | Uint8Array>> {
    return this.#requests.relay(account.id, this.#connected(account, id), request, schema);
  }

  /** The torrent file that is answered, as it came. @throws as {@link ask} */
  async file(account: Pick<Account, 'id'>, id: number, request: RemoteRequest): Promise<RemoteAnswer<Uint8Array>> {
    return this.#requests.file(account.id, this.#connected(account, id), request);
  }

  /** A torrent as the remote tells of it since it was connected; null: it does not have it. @throws as {@link ask} */
  async torrent(account: Pick<Account, 'id'>, id: number, infohash: string): Promise<TorrentDto | null> {
    const remote = this.#connected(account, id);
    const { lastHeardMs, sinceMs } = this.#connections.standing(remote);
    if (lastHeardMs < sinceMs) throw away(remote, 'it has not told of its torrents yet');
    const text = await this.#connections.torrent(id, infohash);
    return text === null ? null : (JSON.parse(text) as TorrentDto); // checked when it was told
  }

  /** Whether the remote told of the torrent last. @throws RequestError `NOT_FOUND` */
  async knows(account: Pick<Account, 'id'>, id: number, infohash: string): Promise<boolean> {
    this.placeOf(account, id);
    return (await this.#connections.torrent(id, infohash)) !== null;
  }

  /** Ids of the remotes that the account sees. */
  seenBy(account: Pick<Account, 'id'>): number[] {
    return this.#seenBy(account).map(({ id }) => id);
  }

  /** Where a remote is that the account sees. @throws RequestError `NOT_FOUND` */
  placeOf(account: Pick<Account, 'id'>, id: number): Pick<StoredRemote, 'name' | 'url'> {
    return this.#seen(account, id);
  }

  /** @throws RequestError `NOT_FOUND`, `REMOTE_AWAY` */
  #connected(account: Pick<Account, 'id'>, id: number): StoredRemote {
    const remote = this.#seen(account, id);
    const { state, reason } = this.#connections.standing(remote);
    if (state !== 'connected') throw away(remote, reason ?? state);
    return remote;
  }

  /** Asks any that is stored, connected or not. @throws RequestError `NOT_FOUND`, `REMOTE_AWAY`, `UPSTREAM_FAILED` */
  async askAny<Value>(asker: AccountId, id: number, request: RemoteRequest, schema: z.ZodType<Value>): Promise<Value> {
    const remote = this.#find(id);
    const answer = await this.#requests.ask(asker, remote, request, schema);
    if (answer.kind === 'value') return answer.value;
    throw asSaidBy(remote, answer.said);
  }

  figures(): RemoteFigures[] {
    const nowMs = this.deps.clock.unixMs();
    return this.#all.map((remote) => {
      const { state, lastHeardMs } = this.#connections.standing(remote);
      const heardMsAgo = lastHeardMs === 0 ? null : nowMs - lastHeardMs;
      return { name: remote.name, isUp: state === 'connected', heardMsAgo };
    });
  }

  get #all(): readonly StoredRemote[] {
    return this.deps.collection.data.remotes;
  }

  #seenBy({ id }: Pick<Account, 'id'>): StoredRemote[] {
    return this.#all.filter(({ user_ids }) => user_ids.includes(id));
  }

  #seen(account: Pick<Account, 'id'>, id: number): StoredRemote {
    const remote = this.#seenBy(account).find((each) => each.id === id);
    if (!remote) throw notFound('server');
    return remote;
  }

  #find(id: number): StoredRemote {
    const remote = this.#all.find((each) => each.id === id);
    if (!remote) throw notFound('server');
    return remote;
  }

  async #checkedUrl(text: string, maker: AccountId): Promise<string> {
    const url = baseUrlOf(text);
    await this.deps.egress.check(url, 'url', maker);
    return url;
  }

  #assertAccounts(ids: readonly number[]): void {
    const unknown = ids.find((id) => !this.deps.isAccount(id));
    if (unknown !== undefined) throw new RequestError('BODY_INVALID', `user_ids: there is no account ${unknown}`);
  }

  #shown(remote: StoredRemote): RemoteDto {
    const { state, reason, sinceMs, lastHeardMs, torrents } = this.#connections.standing(remote);
    const { id, name, enabled } = remote;
    const toSeconds = (ms: number): number => Math.floor(ms / 1_000);
    const times = { since: toSeconds(sinceMs), last_heard: toSeconds(lastHeardMs) };
    return { id, name, enabled, state, reason, torrents, ...times };
  }
}

/** The fields that are there. */
function given(change: Omit<RemoteChange, 'user_ids'>): Partial<StoredRemote> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
