// The limits over all torrents: stored first, then in force. An engine that takes another's place is told them again.
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { LimitsDto } from '../../../shared-protocol/dto/settings.js';
import { tellEngine } from './engine-settings.js';
import type { Settings } from './settings.js';

export interface SpeedLimitsDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'setRateLimits'> };
  readonly settings: Pick<Settings, 'stored' | 'store' | 'edit' | 'rateLimits'>;
}

export class SpeedLimits {
  constructor(private readonly deps: SpeedLimitsDeps) {}

  /** As stored, whichever pair is in force. */
  get stored(): LimitsDto {
    return this.deps.settings.stored('limits');
  }

  /** @throws AppError `STORAGE_FAILED`, `ENGINE_TIMEOUT` */
  async set(limits: LimitsDto): Promise<void> {
    await this.deps.settings.store('limits', limits);
    await this.apply();
  }

  /** Whether the alternative pair is in force now. @throws as {@link set} */
  async toggleAlt(): Promise<boolean> {
    let isActive = false;
    await this.deps.settings.edit('limits', (limits) => {
      isActive = !limits.alt_active;
      return { ...limits, alt_active: isActive };
    });
    await this.apply();
    return isActive;
  }

  /** Tells the engine; one that is away is told when it is back. @throws AppError `ENGINE_TIMEOUT` */
  async apply(): Promise<void> {
    const { engine, settings } = this.deps;
    await tellEngine(() => engine.client.setRateLimits(settings.rateLimits));
  }
}
