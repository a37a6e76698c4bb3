// What is under way of a torrent's move or rename, how far it is, and who has ended it. Owns: it is one thing at a time,
// the torrent hears of each change that means something to it, and whoever waits for the end of it is called.
import type { Timer } from '../../environment.js';
import type { TorrentServices } from '../session-interface.js';
import type { BringEvents } from './bring-files.js';

/** `asked`: it is being found out whether it can be. `leaving`: it does not wait any more, and is still to be forgotten. */
export type Phase = 'none' | 'asked' | 'waiting' | 'leaving' | 'copying' | 'cleaning';

export interface UnderWayDeps {
  readonly services: Pick<TorrentServices, 'clock'>;
  /** Every change of a fact of the torrent. */
  change(mutate: () => void): void;
}

export class UnderWay implements BringEvents {
  #phase: Phase = 'none';
  #bytesDone = 0;
  #bytesTotal = 0;
  /** Says by whom it was ended while it copied. */
  #endedBy: 'nobody' | 'person' | 'engine' = 'nobody';
  /** Called when nothing is under way any more. */
  #onRest: () => void = () => undefined;

  constructor(private readonly deps: UnderWayDeps) {}

  get phase(): Phase {
    return this.#phase;
  }

  get endedBy(): 'nobody' | 'person' | 'engine' {
    return this.#endedBy;
  }

  get bytesDone(): number {
    return this.#bytesDone;
  }

  get bytesTotal(): number {
    return this.#bytesTotal;
  }

  /** Nothing else is begun meanwhile; to the torrent it is as good as nothing. */
  ask(): void {
    this.#phase = 'asked';
  }

  /** `also`: another fact that changes with it. */
  enter(phase: 'waiting' | 'leaving' | 'copying' | 'cleaning', also?: () => void): void {
    this.deps.change(() => {
      this.#phase = phase;
      also?.();
    });
  }

  rest(): void {
    if (this.#phase !== 'none') this.deps.change(() => (this.#phase = 'none'));
    this.#onRest();
  }

  /** Resolves when nothing is under way, or the time is over. */
  async restedWithin(waitMs: number): Promise<void> {
    if (this.#phase === 'none') return;
    let timer: Timer | undefined;
    await new Promise<void>((resolve) => {
      this.#onRest = resolve;
      timer = this.deps.services.clock.after(waitMs, resolve);
    });
    this.#onRest = () => undefined;
    timer?.cancel();
  }

  /** A person does not want what is being copied. */
  endCopying(): void {
    if (this.#phase === 'copying') this.#endedBy = 'person';
  }

  /** The engine stops: whoever waits does so no longer. */
  stop(): void {
    this.#endedBy = 'engine';
    this.#onRest();
  }

  /** That something was ended says nothing of what comes next. */
  forgetEnd(): void {
    this.#endedBy = 'nobody';
  }

  isStopped(): boolean {
    return this.#endedBy !== 'nobody';
  }

  onFound(bytes: number): void {
    this.#bytesDone = 0;
    this.#bytesTotal = bytes;
  }

  onBytes(count: number): void {
    this.#bytesDone += count;
  }
}
