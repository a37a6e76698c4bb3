// What the services hear of the engine, and what it is told when it begins anew or is there again.
import type { EngineOptions } from '../../shared-protocol/commands/engine-options.js';
import type { Log } from '../logging.js';
import type { Services } from '../routes/services.js';
import type { Settings } from '../services/settings/settings.js';
import { notSwept } from './follow-accounts.js';
import type { EngineFollower } from './supervised-engine.js';

/** `services`: all of them, once they are there, which is before the engine is started. */
export function followEngine(services: () => Services, settings: Settings, log: Log): EngineFollower {
  return {
    onEvent(event, isLoading) {
      const { trafficRecorder, torrentNumbers, hooks, running, inspector, fileChecksums, mediaInfo, links } =
        services();
      trafficRecorder.handleEvent(event);
      torrentNumbers.handleEvent(event);
      hooks.handleEvent(event, isLoading);
      running.handleEvent(event);
      inspector.handleEvent(event);
      fileChecksums.handleEvent(event);
      mediaInfo.handleEvent(event);
      // They open nothing all the same: what they lead to is gone.
      links.handleEvent(event).catch(notSwept(log, 'links'));
    },
    onReload(phase, isOf) {
      const { library } = services();
      if (phase === 'begin') library.beginReload(isOf);
      else library.endReload(isOf);
    },
    onBack() {
      const { speedLimits, engineSettings, networkSettings } = services();
      const { blocklist, fileAdopters, networkInsiders, accountSpeeds } = services();
      const settable = [speedLimits, engineSettings, networkSettings, blocklist];
      const parts = [...settable, fileAdopters, networkInsiders, accountSpeeds];
      Promise.all(parts.map((part) => part.apply())).catch((error: unknown) =>
        log.warn('settings not applied', { reason: String(error) }),
      );
    },
    renew: (started): EngineOptions => ({
      ...started,
      blocklist: services().blocklist.lists,
      adopters: services().fileAdopters.current,
      insiders: services().networkInsiders.accountIds,
      // Never by the way of before: what was bound since then stays so.
      network: settings.network,
      accountLimits: services().accountSpeeds.limits,
    }),
  };
}
