// One connection that listens (LISTEN) until it is lost. It asks now and then what time it is at the server: a connection can be
// dead without either side having been told, and all fronts go by that clock.
import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import type { Clock, Timer } from '../../shared-protocol/clock.js';

/** Channels of NOTIFY, by what they tell of. */
export const CHANNELS = { collections: 'swarmd_collections', leases: 'swarmd_leases' } as const;
export type Channel = (typeof CHANNELS)[keyof typeof CHANNELS];

export interface ListeningOptions {
  readonly clock: Clock;
  /** Milliseconds between questions, and for which an answer is waited for. */
  readonly keepAliveMs: number;
}

export interface ListeningEvents {
  onTold(channel: string, payload: string): void;
  /** The server's wall clock. */
  onTime(unixMs: number): void;
  /** Called once, and not after {@link ListeningConnection.close}. */
  onLost(): void;
}

export class ListeningConnection {
  readonly #socket = new Socket();
  readonly #client: Client;
  #timer: Timer | null = null;
  #isOver = false;

  constructor(
    config: ClientConfig,
    private readonly options: ListeningOptions,
    private readonly events: ListeningEvents,
  ) {
    this.#client = new Client({ ...config, query_timeout: options.keepAliveMs, stream: () => this.#socket });
    this.#client.on('error', () => this.lose()).on('end', () => this.lose());
    this.#client.on('notification', ({ channel, payload = '' }) => events.onTold(channel, payload));
  }

  /** Resolves when it listens; throws what pg throws. */
  async open(): Promise<void> {
    await this.#client.connect();
    await this.#askTime();
    for (const channel of Object.values(CHANNELS)) await this.#client.query(`LISTEN ${channel}`);
    this.#askLater();
  }

  /** For whoever has found that it is of no use. */
  lose(): void {
    if (this.#isOver) return;
    this.close();
    this.events.onLost();
  }

  /** Without a farewell, for which a dead server would be waited for. */
  close(): void {
    this.#isOver = true;
    this.#timer?.cancel();
    this.#socket.destroy();
  }

  #askLater(): void {
    if (this.#isOver) return;
    this.#timer = this.options.clock.after(this.options.keepAliveMs, () => {
      this.#askTime().then(
        () => this.#askLater(),
        () => this.lose(),
      );
    });
  }

  async #askTime(): Promise<void> {
    const { rows } = await this.#client.query<{ unix_ms: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS unix_ms',
    );
    this.events.onTime(rows[0]!.unix_ms);
  }
}
