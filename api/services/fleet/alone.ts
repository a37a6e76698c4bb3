// A front without others: it does what may be done only once from its start to its end.
import type { BackgroundService } from '../background-service.js';
import type { MakeServices } from './leadership.js';

export class Alone implements BackgroundService {
  readonly leads = true;
  #make: MakeServices = () => [];
  #services: readonly BackgroundService[] = [];

  /** Before the start. */
  perform(make: MakeServices): void {
    this.#make = make;
  }

  start(): void {
    this.#services = this.#make();
    for (const service of this.#services) service.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.stop()));
  }
}
