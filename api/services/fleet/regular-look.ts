// Looks that are taken again and again while a front leads: each a while after the one before has ended, and none is under way when
// it has been stopped.
import type { Clock, Timer } from '../../clocks.js';

export class RegularLook {
  #timer: Timer | null = null;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = true;

  /** `look` never rejects. */
  constructor(
    private readonly clock: Pick<Clock, 'after'>,
    private readonly everyMs: number,
    private readonly look: () => Promise<void>,
  ) {}

  get isStopped(): boolean {
    return this.#isStopped;
  }

  start(): void {
    this.#isStopped = false;
    this.#wait();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#looking;
  }

  #wait(): void {
    this.#timer = this.clock.after(this.everyMs, () => {
      this.#looking = this.look().finally(() => {
        if (!this.#isStopped) this.#wait();
      });
    });
  }
}
