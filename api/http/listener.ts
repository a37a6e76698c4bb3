// The HTTP listener of the moment: opens it, moves it, stops it. Owns the open servers. A move that could fail for a
// reason of the client's (its port) opens the new address before the client is answered; one that needs the old one
// gone goes back there when the new one cannot be had. No administrator is locked out by a wrong setting.
import { AppError, type ErrorData } from '../../shared-protocol/errors.js';
import { because } from '../../shared-protocol/reasons.js';
import { RequestError } from '../errors.js';
import type { HttpServer, ListenAddress } from './server.js';
import { ANY_LOOPBACK_PORT, planMove, storedAddress, type ListenSettings } from './listener-plan.js';
import type { Log } from '../logging.js';
import type { ListenerMover, MoveOutcome, PreparedMove } from '../services/settings/web-access.js';

export interface ListenerDeps {
  /** @throws AppError `LISTEN_FAILED` */
  readonly open: (address: ListenAddress) => Promise<HttpServer>;
  /** WebSockets end with the listener they came through (docs/api.md, "Connection lifetime"). */
  readonly dropSockets: () => void;
  /** Told the new URL, or an empty one, before the old one is given up. */
  readonly onMoved: (url: string) => Promise<void>;
  readonly log: Log;
}

export interface ListenerOptions {
  /** Whether `enabled: false` stops it: on the desktop. */
  readonly mayStop: boolean;
}

export class Listener implements ListenerMover {
  /** Everything that is open, prepared ones included, so that `close` leaves nothing behind. */
  readonly #open = new Set<HttpServer>();
  #current: HttpServer | null = null;
  #isClosed = false;

  constructor(
    private readonly deps: ListenerDeps,
    private readonly options: ListenerOptions,
  ) {}

  /** Where it can be reached, without a slash at the end; empty while it does not listen. */
  get url(): string {
    return this.#current?.url ?? '';
  }

  /** The address as it was asked for; null while it does not listen. */
  get address(): ListenAddress | null {
    return this.#current?.address ?? null;
  }

  /** @throws AppError `LISTEN_FAILED` */
  async start(address: ListenAddress): Promise<void> {
    this.#current = await this.#openAt(address);
  }

  /** Listens again where it is stored, if it was stopped. @throws AppError `LISTEN_FAILED` */
  async startAgain(web: ListenSettings): Promise<void> {
    if (!this.#current) await this.#switchTo(await this.#openAt(storedAddress(web)));
  }

  /** One at a time: the next is prepared after this one was committed or given up. @throws RequestError `PORT_UNUSABLE` */
  async prepare(before: ListenSettings, after: ListenSettings): Promise<PreparedMove | null> {
    const plan = planMove(this.#current?.address ?? null, before, after, this.options.mayStop);
    switch (plan.kind) {
      case 'stay':
        return null;
      case 'stop':
        return { commit: () => this.#switchTo(null), abandon: async () => undefined };
      case 'open-first': {
        const next = await this.#openForClient(plan.address);
        return { commit: () => this.#switchTo(next), abandon: () => this.#closeOne(next) };
      }
      case 'close-first':
        return { commit: () => this.#reopenAt(plan.address), abandon: async () => undefined };
    }
  }

  /** For good. Requests under way are finished, for a second at most. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((server) => this.#closeOne(server)));
  }

  async #switchTo(next: HttpServer | null): Promise<MoveOutcome> {
    const old = this.#current;
    this.#current = next;
    // Who reads where to go finds the new address before the old one is gone.
    if (next) await this.#announce();
    this.deps.dropSockets();
    const closing = old && this.#closeOne(old);
    if (!next) await this.#announce();
    await closing;
    return { kind: 'moved' };
  }

  async #reopenAt(address: ListenAddress): Promise<MoveOutcome> {
    const old = this.#current;
    this.deps.dropSockets();
    // Its port is free from here on; requests under way end in their own time.
    const closing = old && this.#closeOne(old);
    this.#current = await this.#openFirstOf([address, ...(old ? [old.address] : []), ANY_LOOPBACK_PORT]);
    await this.#announce();
    await closing;
    const at = this.#current?.address;
    return at?.host === address.host && at.port === address.port ? { kind: 'moved' } : { kind: 'went-back' };
  }

  async #openFirstOf(addresses: readonly ListenAddress[]): Promise<HttpServer | null> {
    for (const address of addresses) {
      if (this.#isClosed) return null;
      try {
        return await this.#openAt(address);
      } catch (error) {
        this.deps.log.error('the listener cannot move there', { ...address, reason: String(error) });
      }
    }
    return null;
  }

  async #announce(): Promise<void> {
    if (this.#isClosed) return;
    this.deps.log.info(this.#current ? 'listening elsewhere' : 'stopped listening', { url: this.url });
    try {
      await this.deps.onMoved(this.url);
    } catch (error) {
      // It moved all the same; only those who read the file have to be told some other way.
      this.deps.log.error('where it listens is not recorded', { reason: String(error) });
    }
  }

  async #openForClient(address: ListenAddress): Promise<HttpServer> {
    try {
      return await this.#openAt(address);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'LISTEN_FAILED') throw error;
      throw portUnusable(error.cause);
    }
  }

  async #openAt(address: ListenAddress): Promise<HttpServer> {
    const server = await this.deps.open(address);
    this.#open.add(server);
    if (this.#isClosed) await this.#closeOne(server);
    return server;
  }

  async #closeOne(server: HttpServer): Promise<void> {
    await server.close();
    this.#open.delete(server);
  }
}

function portUnusable(cause: unknown): RequestError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const refused = (why: string, data?: ErrorData) => new RequestError('PORT_UNUSABLE', `port: ${why}`, data);
  if (code === 'EADDRINUSE') return refused('in use by another program', because('PORT_IN_USE'));
  if (code === 'EACCES' || code === 'EPERM') return refused('this program may not use it', because('PORT_NOT_ALLOWED'));
  return refused('cannot be used');
}
