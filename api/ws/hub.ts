// The push channel: who is connected, and what each is sent. Frames are built once per account and tick and shared by
// the account's sockets. Owns the sockets; a socket lives no longer than the credential it was opened with.
import type { UpdateInfoDto } from '../../shared-protocol/dto/settings.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Principal } from '../auth/authenticate.js';
import type { Sessions } from '../auth/sessions.js';
import { hasPermission } from '../services/accounts/account-records.js';
import type { Account, Accounts } from '../services/accounts/accounts.js';
import type { Inspector } from '../services/library/inspector.js';
import type { Snapshots } from '../snapshot/snapshots.js';
import { DeflatedFrames } from './deflated-frames.js';
import type { Frame } from './frame-queue.js';
import { HubClient, type CloseCode, type FrameWriter, type HubSocket } from './hub-client.js';

const SECOND_MS = 1_000;
const TICK_MS = SECOND_MS;
const PING_MS = 20 * SECOND_MS;
const RECHECK_MS = 5 * SECOND_MS;
const READ_DEADLINE_MS = 60 * SECOND_MS;

export interface HubDeps {
  readonly accounts: Pick<Accounts, 'find'>;
  readonly sessions: Pick<Sessions, 'accountOf'>;
  readonly snapshots: Pick<Snapshots, 'ticks'>;
  readonly inspector: Pick<Inspector, 'tick'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

export class Hub {
  readonly #clients = new Set<HubClient>();
  readonly #deflated = new DeflatedFrames();
  /** Accounts whose frames of a kind are being deflated: the next ones of that kind are left out meanwhile. */
  readonly #deflating = new Set<`${AccountId} ${Frame['type']}`>();
  #isClosed = false;

  constructor(private readonly deps: HubDeps) {}

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

  /** Takes a socket over; the client has its first frames at once. `deflated`: it takes deflated frames there. */
  add(socket: HubSocket, { account, credential }: Principal, deflated: FrameWriter | null = null): void {
    const client = new HubClient(socket, account.id, credential, this.deps.now, deflated);
    this.#clients.add(client);
    socket.on('close', () => this.#clients.delete(client));
    // `close` follows.
    socket.on('error', () => undefined);
    // Plain: nobody waits for a deflater now.
    for (const frame of this.#framesOf(account)) client.send(frame);
  }

  /** One frame of each kind to everybody, also when nothing changed; details follow when the engine has answered. */
  tick(): void {
    for (const [account, clients] of this.#byAccount()) {
      for (const frame of this.#framesOf(account)) this.#sendTo(account, clients, frame);
      void this.#inspectFor(account, clients);
    }
  }

  /** `update:available` to those who can do something about it (semantics.md section 7); false: none is connected. */
  announceUpdate(info: UpdateInfoDto): boolean {
    const payload = { ...info, available: true };
    const bytes = Buffer.from(JSON.stringify({ type: 'update:available', payload }));
    let isHeard = false;
    for (const [account, clients] of this.#byAccount()) {
      if (!hasPermission(account, 'perm_change_settings')) continue;
      for (const client of clients) client.send({ type: 'update:available', bytes });
      isHeard = true;
    }
    return isHeard;
  }

  ping(): void {
    for (const client of this.#clients) client.ping();
  }

  /** Closes what has lost its session or account, and cuts what has been silent for too long. */
  recheck(): void {
    for (const client of this.#clients) {
      if (!this.#isStillAllowed(client)) client.close(1008, 'session revoked');
      else if (client.silentMs > READ_DEADLINE_MS) client.terminate();
    }
  }

  /** Every socket of the account, whatever it was opened with. */
  closeAccount(accountId: AccountId): void {
    for (const client of this.#clients) if (client.accountId === accountId) client.close(1008, 'session revoked');
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

  #framesOf(account: Account): Frame[] {
    const { torrents, stats } = this.deps.snapshots.ticks(account);
    return [
      { type: 'torrents:tick', bytes: torrents },
      { type: 'stats:tick', bytes: stats },
    ];
  }

  #sendTo(account: Account, clients: readonly HubClient[], frame: Frame): void {
    const isWorthwhile = this.#deflated.isWorthwhile(frame.bytes);
    const deflating: HubClient[] = [];
    for (const client of clients) {
      if (isWorthwhile && client.takesDeflated) deflating.push(client);
      else client.send(frame);
    }
    if (deflating.length > 0) void this.#deflateTo(account, deflating, frame);
  }

  /** Whoever is gone when the frame is ready gets nothing. */
  async #deflateTo({ id }: Account, clients: readonly HubClient[], { type, bytes: payload }: Frame): Promise<void> {
    const key = `${id} ${type}` as const;
    if (this.#deflating.has(key)) return;
    this.#deflating.add(key);
    try {
      const bytes = await this.#deflated.of(payload);
      for (const client of clients) client.send({ type, bytes, isDeflated: true });
    } finally {
      this.#deflating.delete(key);
    }
  }

  async #inspectFor(account: Account, clients: readonly HubClient[]): Promise<void> {
    const bytes = await this.deps.inspector.tick(account);
    if (bytes) this.#sendTo(account, clients, { type: 'inspector:tick', bytes });
  }

  #isStillAllowed({ accountId, credential }: HubClient): boolean {
    const account = this.deps.accounts.find(accountId);
    if (!account || account.disabled) return false;
    return credential.kind === 'bearer' || this.deps.sessions.accountOf(credential.token) === accountId;
  }
}

/** Runs the hub by the clock; returns what stops it. */
export function startHubTimers(hub: Hub): () => void {
  const timers = [
    setInterval(() => hub.tick(), TICK_MS),
    setInterval(() => hub.ping(), PING_MS),
    setInterval(() => hub.recheck(), RECHECK_MS),
  ];
  return () => timers.forEach((timer) => clearInterval(timer));
}
