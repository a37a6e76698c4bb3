// The push channel: who is connected, and what each is sent. Frames are built once per account and tick and shared by
// the account's sockets. Owns the sockets; a socket lives no longer than the credential it was opened with.
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Principal } from '../auth/authenticate.js';
import type { Sessions } from '../auth/sessions.js';
import type { Account, Accounts } from '../services/accounts.js';
import type { Inspector } from '../services/inspector.js';
import type { Snapshots } from '../snapshot/snapshots.js';
import { HubClient, type HubSocket } from './hub-client.js';

const SECOND_MS = 1_000;
const TICK_MS = SECOND_MS;
const PING_MS = 20 * SECOND_MS;
const RECHECK_MS = 5 * SECOND_MS;
const READ_DEADLINE_MS = 60 * SECOND_MS;

export interface HubDeps {
  readonly accounts: Pick<Accounts, 'find'>;
  readonly sessions: Pick<Sessions, 'accountOf'>;
  readonly snapshots: Pick<Snapshots, 'torrentsTick' | 'statsTick'>;
  readonly inspector: Pick<Inspector, 'tick'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

export class Hub {
  readonly #clients = new Set<HubClient>();
  #isClosed = false;

  constructor(private readonly deps: HubDeps) {}

  get size(): number {
    return this.#clients.size;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Takes a socket over; the client has its first frames at once. */
  add(socket: HubSocket, principal: Principal): void {
    const client = new HubClient(socket, principal.account.id, principal.credential, this.deps.now);
    this.#clients.add(client);
    socket.on('close', () => this.#clients.delete(client));
    // `close` follows.
    socket.on('error', () => undefined);
    this.#sendTo(principal.account, [client]);
  }

  /** One frame of each kind to everybody, also when nothing changed; details follow when the engine has answered. */
  tick(): void {
    const byAccount = new Map<AccountId, HubClient[]>();
    for (const client of this.#clients) {
      const clients = byAccount.get(client.accountId);
      if (clients) clients.push(client);
      else byAccount.set(client.accountId, [client]);
    }
    for (const [accountId, clients] of byAccount) {
      const account = this.deps.accounts.find(accountId);
      if (!account) continue;
      this.#sendTo(account, clients);
      void this.#inspectFor(account, clients);
    }
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

  /** The last thing: everybody is told to come back later. */
  close(): void {
    this.#isClosed = true;
    for (const client of this.#clients) client.close(1001, 'shutting down');
  }

  #sendTo(account: Account, clients: readonly HubClient[]): void {
    const frames = [this.deps.snapshots.torrentsTick(account), this.deps.snapshots.statsTick(account)];
    for (const client of clients) for (const frame of frames) client.send(frame);
  }

  async #inspectFor(account: Account, clients: readonly HubClient[]): Promise<void> {
    const frame = await this.deps.inspector.tick(account);
    if (frame) for (const client of clients) client.send(frame);
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
