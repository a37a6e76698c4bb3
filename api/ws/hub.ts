// The push channel: who is connected, and what each is sent. Messages are made once per account and tick and shared by
// the account's sockets. Owns the sockets; a socket lives no longer than the credential it was opened with.
import type { NoticesChanged } from '../../shared-protocol/dto/notices.js';
import type { UpdateInfoDto } from '../../shared-protocol/dto/settings.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Principal } from '../auth/authenticate.js';
import type { Sessions } from '../auth/sessions.js';
import { hasPermission, type Account } from '../auth/account.js';
import type { Accounts } from '../services/accounts/accounts.js';
import type { Log } from '../logging.js';
import type { EngineHealth } from '../services/engine-health.js';
import type { Inspector } from '../services/library/inspector.js';
import type { Notices } from '../services/notices/notices.js';
import type { Remotes } from '../services/remotes/remotes.js';
import type { Deflate } from '../torrent-list/deflate/deflated-part.js';
import type { DeflatedLists } from '../torrent-list/deflated-lists.js';
import { DeltaFeed } from '../torrent-list/delta-feed.js';
import { ListMessages } from '../torrent-list/list-messages.js';
import type { ListSnapshot } from '../torrent-list/list-snapshot.js';
import type { Snapshots } from '../torrent-list/snapshots.js';
import { RequestError } from '../errors.js';
import { roomFor, tooSlow } from './crowding.js';
import { Frames, messageOf, type Frame, type Message } from './frames.js';
import { HubClient, type ClientOptions, type CloseCode, type FrameWriter, type HubSocket } from './hub-client.js';

const SECOND_MS = 1_000;
const TICK_MS = SECOND_MS;
const PING_MS = 20 * SECOND_MS;
const RECHECK_MS = 5 * SECOND_MS;
const READ_DEADLINE_MS = 60 * SECOND_MS;
const [SERVERS_HEAD, SERVERS_TAIL] = [Buffer.from('{"type":"servers:tick","payload":'), Buffer.from('}')];

export interface HubDeps {
  readonly accounts: Pick<Accounts, 'find'>;
  readonly sessions: Pick<Sessions, 'accountOf'>;
  readonly snapshots: Pick<Snapshots, 'of'>;
  readonly deflatedLists: Pick<DeflatedLists, 'torrents'>;
  readonly deflate: Deflate;
  readonly inspector: Pick<Inspector, 'tick'>;
  /** Says what remotes have told of their lists. @default there are none */
  readonly remotes?: Pick<Remotes, 'changesFor' | 'seenBy'>;
  /** @default the engine is there */
  readonly engineHealth?: Pick<EngineHealth, 'withAway'>;
  /** Says what a client is told when it comes. @default nothing */
  readonly notices?: Pick<Notices, 'greeting'>;
  readonly log: Pick<Log, 'warn'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

export class Hub {
  readonly #clients = new Set<HubClient>();
  readonly #frames: Frames;
  readonly #messages: ListMessages;
  /** Sequences of deltas, one for each account with clients that take them; it goes with the last client. */
  readonly #feeds = new Map<AccountId, DeltaFeed>();
  /** Lists that are being made for an account; the next waits, so that they go out in the order of their making. */
  readonly #turns = new Map<AccountId, Promise<void>>();
  /** Accounts that could not be told of their remotes at the last tick. */
  readonly #untold = new Set<AccountId>();
  #isTicking = false;
  #isClosed = false;

  constructor(private readonly deps: HubDeps) {
    this.#frames = new Frames(deps.deflate);
    this.#messages = new ListMessages(deps.deflatedLists);
  }

  get size(): number {
    return this.#clients.size;
  }

  /** Frames that the clients of the moment never got, because they read too slowly. */
  get dropped(): number {
    let dropped = 0;
    for (const client of this.#clients) dropped += client.dropped;
    return dropped;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Before a socket is added: an account that has many makes room. @throws RequestError `TOO_MANY_SOCKETS` */
  makeRoomFor(accountId: AccountId): void {
    const room = roomFor(this.#clients, accountId);
    if (room.kind === 'none') throw new RequestError('TOO_MANY_SOCKETS');
    if (room.kind === 'free') return;
    room.of.close(1013, 'too many connections');
    this.#clients.delete(room.of);
  }

  /** Takes a socket over, with the connection below it; the client has its first frames soon. */
  add(socket: HubSocket, writer: FrameWriter, { account, credential }: Principal, options: ClientOptions): void {
    const client = new HubClient(socket, writer, options, account.id, credential, this.deps.now);
    this.#clients.add(client);
    socket.on('close', () => {
      this.#clients.delete(client);
      this.#forgetFeed(account.id);
    });
    // `close` follows.
    socket.on('error', () => undefined);
    void this.#inTurn(account.id, (account) => this.#greet(account, client));
  }

  /** One frame of each kind to everybody, also when nothing changed; details follow when the engine has answered. */
  async tick(): Promise<void> {
    // The one before still makes the first list of very many torrents.
    if (this.#isTicking) return;
    this.#isTicking = true;
    // Nothing that is said to them would arrive.
    for (const client of tooSlow(this.#clients)) client.terminate();
    try {
      for (const { id } of this.#byAccount().keys()) await this.#inTurn(id, (account) => this.#tickFor(account));
    } finally {
      this.#isTicking = false;
    }
  }

  /**
   * `update:available` to those who can do something about it (docs/semantics.md section 7); false: none is connected.
   */
  announceUpdate(info: UpdateInfoDto): boolean {
    const payload = { ...info, available: true };
    const bytes = Buffer.from(JSON.stringify({ type: 'update:available', payload }));
    let isHeard = false;
    for (const [account, clients] of this.#byAccount()) {
      if (!hasPermission(account, 'perm_change_settings')) continue;
      this.#sendTo(clients, this.#frames.of(messageOf('update:available', bytes)));
      isHeard = true;
    }
    return isHeard;
  }

  /** `notices:changed` to the account. */
  tellNotices(accountId: AccountId, changed: NoticesChanged): void {
    const clients = this.#clientsOf({ id: accountId });
    if (clients.length > 0) this.#sendTo(clients, this.#noticesOf(changed));
  }

  ping(): void {
    for (const client of this.#clients) client.ping();
  }

  /** Closes what has lost its session or account, and cuts what has been silent for too long. */
  recheck(): void {
    if (this.#clients.size === 0) this.#frames.forgetMemory();
    for (const client of this.#clients) {
      if (!this.#isStillAllowed(client)) client.close(1008, 'session revoked');
      else if (client.silentMs > READ_DEADLINE_MS) client.terminate();
    }
  }

  /** Every socket of the account, whatever it was opened with. */
  closeAccount(accountId: AccountId): void {
    for (const client of this.#clients) if (client.accountId === accountId) client.close(1008, 'session revoked');
    this.#forgetFeed(accountId);
  }

  /** Every socket there is; new ones are welcome. */
  dropAll(code: CloseCode, reason: string): void {
    for (const client of this.#clients) client.close(code, reason);
  }

  /** The last thing: everybody is told to come back later. */
  close(): void {
    this.#isClosed = true;
    this.dropAll(1001, 'shutting down');
  }

  /** Accounts with an open socket, as they are now, each with its sockets. */
  #byAccount(): Map<Account, HubClient[]> {
    const byAccount = new Map<Account, HubClient[]>();
    for (const client of this.#clients) {
      const account = client.isOpen ? this.deps.accounts.find(client.accountId) : undefined;
      if (!account) continue;
      const clients = byAccount.get(account);
      if (clients) clients.push(client);
      else byAccount.set(account, [client]);
    }
    return byAccount;
  }

  /** With the account as it is when its turn comes; nothing when it has gone by then. */
  async #inTurn(id: AccountId, work: (account: Account) => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(() => {
      const account = this.deps.accounts.find(id);
      return account && work(account);
    });
    const settled = turn.catch(() => undefined);
    this.#turns.set(id, settled);
    await turn.finally(() => {
      if (this.#turns.get(id) === settled) this.#turns.delete(id);
    });
  }

  async #greet(account: Account, client: HubClient): Promise<void> {
    // Else a tick was faster. Its list is as it is for clients that connect now: the others are told what has changed since theirs.
    const clients = !client.takesDeltas ? [client] : client.needsFull ? this.#followersOf(account) : [];
    const snapshot = await this.deps.snapshots.of(account);
    this.#sendList(account, clients, snapshot);
    client.send(this.#statsOf(account, snapshot));
    // One that cannot be read is told with the next news.
    const greeting = await this.deps.notices?.greeting(account.id).catch(() => null);
    if (greeting) client.send(this.#noticesOf(greeting));
  }

  /** Only to clients that were there before the snapshot was asked for: to others it may be of an earlier time. */
  #sendList({ id }: Account, clients: readonly HubClient[], snapshot: ListSnapshot): void {
    const full = this.#frames.of(this.#messages.full(snapshot));
    const followers = clients.filter(({ takesDeltas, isOpen }) => takesDeltas && isOpen);
    for (const client of clients) if (!client.takesDeltas) client.send(full);
    if (followers.length === 0) return;
    const feed = this.#feeds.get(id);
    if (!feed) this.#feeds.set(id, new DeltaFeed(this.#messages, snapshot));
    const next = feed ? this.#frames.of(feed.next(snapshot)) : full;
    for (const client of followers) client.sendInTurn(full, next);
  }

  #statsOf(account: Account, { totals }: ListSnapshot): Frame {
    return this.#frames.of(this.#messages.stats(this.deps.engineHealth?.withAway(totals, account) ?? totals));
  }

  #noticesOf(payload: NoticesChanged): Frame {
    return this.#frames.of(
      messageOf('notices:changed', Buffer.from(JSON.stringify({ type: 'notices:changed', payload }))),
    );
  }

  /** Unless a client still follows it. */
  #forgetFeed(id: AccountId): void {
    if (!this.#feeds.has(id)) return;
    const isFollowed = [...this.#clients].some(
      ({ accountId, takesDeltas, isOpen }) => accountId === id && takesDeltas && isOpen,
    );
    if (!isFollowed) this.#feeds.delete(id);
  }

  async #tickFor(account: Account): Promise<void> {
    const clients = this.#clientsOf(account);
    const snapshot = await this.deps.snapshots.of(account);
    this.#sendList(account, clients, snapshot);
    this.#sendTo(clients, this.#statsOf(account, snapshot));
    await this.#tryToTellServers(account);
    void this.#inspectFor(account);
  }

  /** Never rejects: whoever cannot be told of remotes is told of all else. */
  async #tryToTellServers(account: Account): Promise<void> {
    try {
      await this.#tellServers(account);
      this.#untold.delete(account.id);
    } catch (error) {
      if (!this.#untold.has(account.id)) {
        this.deps.log.warn('servers not told', { accountId: account.id, reason: String(error) });
      }
      this.#untold.add(account.id);
    }
  }

  /**
   * Each client is told what it has not been sent; those that have been sent the same share the frame. Where the account sees no
   * remote there is nothing to tell, but to a client that was told of one before.
   */
  async #tellServers(account: Account): Promise<void> {
    const { remotes } = this.deps;
    const seesSome = (remotes?.seenBy(account) ?? []).length > 0;
    const clients = this.#clientsOf(account).filter(
      ({ takesServers, knowsServers }) => takesServers && (seesSome || knowsServers),
    );
    const byMarks = new Map<string, HubClient[]>();
    for (const client of clients) {
      const key = JSON.stringify([...client.marks]);
      byMarks.set(key, [...(byMarks.get(key) ?? []), client]);
    }
    for (const alike of byMarks.values()) {
      const { parts, marks } = await remotes!.changesFor(account, alike[0]!.marks);
      const frame = this.#frames.of(serversMessage(parts));
      for (const client of alike) {
        if (!client.send(frame)) continue;
        client.marks = marks;
        client.knowsServers = seesSome;
      }
    }
  }

  async #inspectFor(account: Account): Promise<void> {
    const parts = await this.deps.inspector.tick(account);
    if (parts) this.#sendTo(this.#clientsOf(account), this.#frames.ofParts('inspector:tick', parts));
  }

  #sendTo(clients: readonly HubClient[], frame: Frame): void {
    for (const client of clients) client.send(frame);
  }

  #followersOf(account: Account): HubClient[] {
    return this.#clientsOf(account).filter(({ takesDeltas }) => takesDeltas);
  }

  /** Clients of the account that are connected at the moment. */
  #clientsOf({ id }: Pick<Account, 'id'>): HubClient[] {
    return [...this.#clients].filter((client) => client.accountId === id && client.isOpen);
  }

  #isStillAllowed({ accountId, credential }: HubClient): boolean {
    const account = this.deps.accounts.find(accountId);
    if (!account || account.disabled) return false;
    return credential.kind !== 'cookie' || this.deps.sessions.accountOf(credential.token) === accountId;
  }
}

function serversMessage(servers: readonly Uint8Array[]): Message {
  const parts = [SERVERS_HEAD, ...servers, SERVERS_TAIL];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return { type: 'servers:tick', length, parts: () => parts };
}

/** Runs the hub by the clock; returns what stops it. */
export function startHubTimers(hub: Hub): () => void {
  const timers = [
    setInterval(() => void hub.tick(), TICK_MS),
    setInterval(() => hub.ping(), PING_MS),
    setInterval(() => hub.recheck(), RECHECK_MS),
  ];
  return () => timers.forEach((timer) => clearInterval(timer));
}
