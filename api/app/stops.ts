// The end of background services. Owns: it takes a bounded time, so that one that waits for others of the network keeps the engine
// neither from telling trackers that it stops nor from recording what it has.
import type { Clock, Timer } from '../clocks.js';
import type { Log } from '../logging.js';
import type { BackgroundService } from '../services/background-service.js';

/** The engine has 7 s after it, the whole process 9.5 s. */
export const STOP_MS = 2_500;

export interface StopsDeps {
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<Log, 'warn'>;
}

export class Stops {
  /** Names of services that are asked to stop and have not. */
  readonly #underWay = new Set<string>();

  constructor(private readonly deps: StopsDeps) {}

  /** The same service, known by name while it stops. */
  known(service: BackgroundService): BackgroundService {
    const { name } = service.constructor;
    return {
      start: () => service.start(),
      stop: async () => {
        this.#underWay.add(name);
        try {
          await service.stop();
        } finally {
          this.#underWay.delete(name);
        }
      },
    };
  }

  /** Resolves when the services have stopped, or have had their time. */
  async all(services: readonly BackgroundService[]): Promise<void> {
    const { clock, log } = this.deps;
    const stopped = Promise.all(services.map((service) => service.stop()));
    let timer: Timer | undefined;
    const late = new Promise<'late'>((resolve) => (timer = clock.after(STOP_MS, () => resolve('late'))));
    const first = await Promise.race([stopped, late]).finally(() => timer?.cancel());
    if (first !== 'late') return;
    log.warn('the end does not wait for what is under way', { services: [...this.#underWay].join() });
  }
}
