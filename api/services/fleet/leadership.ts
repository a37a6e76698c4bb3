// Which of the fronts of one database does what may be done only once: feeds, rules, removals that are due, messages to people and
// programs. The one that has the lease; another takes it when that one goes, or is not heard of any more. Owns: a front that cannot
// renew the lease has stopped before another may have it.
import { messageOf } from '../../../shared-protocol/errors.js';
import type { Leases } from '../../../storage/types.js';
import type { Clock, Timer } from '../../clocks.js';
import type { Log } from '../../logging.js';
import type { BackgroundService } from '../background-service.js';

const LEASE = 'front';
export const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** Before the end of the lease, for what is under way to end. */
const MARGIN_MS = 5_000;

export interface LeadershipDeps {
  readonly leases: Leases;
  /** This front among the others. */
  readonly holder: string;
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
  /** Resolves when what the front before has left is known here. */
  readonly catchUp: () => Promise<void>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Services that one front alone has at a time, made when it begins with them. */
export type MakeServices = () => readonly BackgroundService[];

export class Leadership implements BackgroundService {
  #make: MakeServices = () => [];
  #services: readonly BackgroundService[] = [];
  /** Whether the services run. */
  #leads = false;
  /** Epoch of the lease as it was answered last, which may be held without the services; null: it is not held. */
  #epoch: number | null = null;
  #untilMs = -Infinity;
  #isStopped = false;
  #timer: Timer | null = null;
  /** The last word that it is over: what was begun ends before it is begun again. */
  #ending: Promise<void> = Promise.resolve();
  #turn: Promise<void> | null = null;

  constructor(private readonly deps: LeadershipDeps) {}

  /** Whether this front leads. */
  get leads(): boolean {
    return this.#leads;
  }

  /** Before the start. */
  perform(make: MakeServices): void {
    this.#make = make;
  }

  start(): void {
    this.deps.leases.onReleased(() => {
      if (!this.#leads) this.#look();
    });
    this.#look();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#turn;
    await this.#lose('it stops');
    const { leases, holder, log } = this.deps;
    if (this.#epoch === null) return;
    await leases.release(LEASE, holder, this.#epoch).catch((error: unknown) => {
      log.warn('lease not released: another front leads once it has run out', { reason: String(error) });
    });
  }

  /** Now, and again in a while; one look at a time. */
  #look(): void {
    if (this.#isStopped || this.#turn) return;
    this.#timer?.cancel();
    this.#turn = this.#ask().finally(() => {
      this.#turn = null;
      if (!this.#isStopped) this.#timer = this.deps.clock.after(RENEW_MS, () => this.#look());
    });
  }

  /** Never rejects. */
  async #ask(): Promise<void> {
    const { leases, holder, clock, log } = this.deps;
    const held = this.#leads ? this.#epoch : null;
    const watch = held === null ? null : clock.after(this.#leftMs(), () => void this.#lose('it was not renewed'));
    try {
      const lease =
        held === null ? await leases.claim(LEASE, holder, LEASE_MS) : await leases.renew(LEASE, holder, held, LEASE_MS);
      this.#epoch = lease?.epoch ?? null;
      this.#untilMs = lease?.untilMs ?? -Infinity;
      if (!lease) await this.#lose('another front has it');
      else if (!this.#leads) await this.#gain(lease.epoch);
    } catch (error) {
      const reason = messageOf(error);
      log.warn(this.#leads ? 'lease not renewed' : 'this front does not lead', { reason });
      if (this.#leftMs() <= 0) await this.#lose('it was not renewed');
    } finally {
      watch?.cancel();
    }
  }

  async #gain(epoch: number): Promise<void> {
    await this.#ending;
    await this.deps.catchUp();
    if (this.#isStopped || this.#leftMs() <= 0) return;
    this.#services = this.#make();
    this.#leads = true;
    this.deps.log.info('this front leads', { epoch });
    for (const service of this.#services) service.start();
  }

  async #lose(reason: string): Promise<void> {
    if (!this.#leads) return this.#ending;
    this.#leads = false;
    this.deps.log.info('this front leads no more', { reason });
    this.#ending = endOf(this.#services);
    this.#services = [];
    await this.#ending;
  }

  /** Milliseconds until all has to be over. */
  #leftMs(): number {
    return this.#untilMs - MARGIN_MS - this.deps.clock.nowMs();
  }
}

async function endOf(services: readonly BackgroundService[]): Promise<void> {
  await Promise.all(services.map((service) => service.stop()));
}
