// What the service does without being asked, from the moment it listens until it is told to stop.
import { monotonicMs, systemClock, unixSeconds, type Clock } from '../clocks.js';
import type { Log } from '../logging.js';
import type { Services } from '../routes/services.js';
import type { BackgroundService } from '../services/background-service.js';
import { BlocklistRefresh } from '../services/blocklist/refresh.js';
import { ScheduleClock } from '../services/settings/schedule-clock.js';
import { newsOfSeeding } from '../services/notices/news.js';
import { SeedingCheck } from '../services/library/seeding-check.js';
import { UpdateChecks } from '../services/updater/update-checks.js';
import { FolderWatch } from '../services/watch-folder/folder-watch.js';
import type { Hub } from '../ws/hub.js';
import { Stops } from './stops.js';

export interface BackgroundDeps {
  readonly services: Services;
  readonly hub: Pick<Hub, 'announceUpdate'>;
  readonly log: Log;
  /** @default the system's */
  readonly clock?: Clock;
}

/** Starts the background services; the function that it returns ends all of them, or leaves them after a while. */
export function startBackground({ services, hub, log, clock = systemClock }: BackgroundDeps): () => Promise<void> {
  const { leadership } = services;
  const stops = new Stops({ clock, log });
  leadership.perform(() => {
    const leading: readonly BackgroundService[] = [
      new ScheduleClock({ speedLimits: services.speedLimits, clock, log }),
      new FolderWatch({ ...services, clock, log }),
      services.feedPoller,
      services.hooks,
      services.serverMoves,
      services.lostEngines,
      services.draining,
      services.running,
      services.uploads,
      services.pendingRemovals,
      services.automationRuns,
      new SeedingCheck({
        library: services.library,
        torrentLabels: services.torrentLabels,
        rules: services.seedingRules,
        onEnded: (share, reason, action) => services.notices.tell(share.ownerId, newsOfSeeding(share, reason, action)),
        now: unixSeconds,
        nowMs: monotonicMs,
        log,
      }),
    ];
    return leading.map((service) => stops.known(service));
  });
  const all: readonly BackgroundService[] = [
    new UpdateChecks({
      updates: services.updates,
      announce: (info) => hub.announceUpdate(info),
      clock,
      random: Math.random,
      log,
    }),
    services.remotes,
    services.notices,
    services.trafficRecorder,
    services.rateSampler,
    services.backups,
    new BlocklistRefresh({ blocklist: services.blocklist, clock, random: Math.random }),
    leadership,
  ];
  const running = all.map((service) => stops.known(service));
  for (const service of running) service.start();
  return () => stops.all(running);
}
