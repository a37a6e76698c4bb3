// What the service does without being asked, from the moment it listens until it is told to stop.
import { systemClock, unixSeconds } from './clocks.js';
import type { Log } from './logging.js';
import type { Services } from './services.js';
import { ScheduleClock } from './services/settings/schedule-clock.js';
import { Seeding } from './services/settings/seeding.js';
import type { Settings } from './services/settings/settings.js';

/** Something that works by itself. */
export interface BackgroundService {
  /** Once. It must not throw: what goes wrong later goes to the log and to whoever asks. */
  start(): void;
  /** For good. Resolves when nothing of it is under way. */
  stop(): Promise<void> | void;
}

export interface BackgroundDeps {
  readonly services: Services;
  readonly settings: Settings;
  readonly log: Log;
}

/** What it returns ends all of them. */
export function startBackground({ services, settings, log }: BackgroundDeps): () => Promise<void> {
  const running: readonly BackgroundService[] = [
    new ScheduleClock({ speedLimits: services.speedLimits, clock: systemClock, log }),
    new Seeding({ library: services.library, settings, now: unixSeconds, log }),
  ];
  for (const service of running) service.start();
  return async () => void (await Promise.all(running.map((service) => service.stop())));
}
