// What others have changed, as the one listening connection of the process hears it. Owns: when the connection is lost, or
// whoever hears of a change cannot look at it, another is opened, and then all are told that they may have missed something.
import type { ClientConfig } from 'pg';
import type { Timer } from '../../shared-protocol/clock.js';
import { backOffMs, type Patience } from './back-off.js';
import { DatabaseClock } from './database-clock.js';
import { ListeningConnection, type Channel, type ListeningOptions } from './listening-connection.js';

/** Told the payload, or null when something may have been missed; rejects when it could not look, and is told again. */
export type Hearer = (payload: string | null) => Promise<void>;

export class ChangeListener {
  readonly databaseClock = new DatabaseClock();
  readonly #hearers = new Map<Hearer, Channel>();
  #connection: ListeningConnection | null = null;
  #timer: Timer | null = null;
  #failures = 0;
  #isClosed = false;

  constructor(
    private readonly config: ClientConfig,
    private readonly options: ListeningOptions & Patience,
  ) {}

  /** Resolves when it listens; from then on it comes back by itself. Throws what pg throws, and is closed then. */
  async open(): Promise<void> {
    try {
      await this.#connect().open();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** @returns a function that ends it */
  subscribe(channel: Channel, hearer: Hearer): () => void {
    this.#hearers.set(hearer, channel);
    return () => void this.#hearers.delete(hearer);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#connection?.close();
  }

  #connect(): ListeningConnection {
    const connection = new ListeningConnection(this.config, this.options, {
      onTold: (channel, payload) => {
        for (const [hearer, wanted] of this.#hearers) {
          if (wanted === channel) hearer(payload).catch(() => connection.lose());
        }
      },
      onTime: (unixMs) => this.databaseClock.set(unixMs),
      onLost: () => this.#comeBackLater(),
    });
    this.#connection = connection;
    return connection;
  }

  #comeBackLater(): void {
    if (this.#isClosed) return;
    const { clock, chance } = this.options;
    this.#timer = clock.after(backOffMs(this.#failures++, chance()), () => void this.#comeBack());
  }

  async #comeBack(): Promise<void> {
    const connection = this.#connect();
    try {
      await connection.open();
      await Promise.all([...this.#hearers.keys()].map((hearer) => hearer(null)));
      this.#failures = 0;
    } catch {
      connection.lose();
    }
  }
}
