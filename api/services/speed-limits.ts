// The limits over all torrents: stored first, then in force. An engine that takes another's place is told them again.
import type { EngineClient, RateLimits } from '../../shared-protocol/commands.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { LimitsDto } from './kbps.js';

export interface SpeedLimitsDeps {
  readonly engine: { readonly client: EngineClient };
  readonly settings: {
    readonly limits: LimitsDto;
    readonly rateLimits: RateLimits;
    setLimits(limits: LimitsDto): Promise<void>;
    toggleAltSpeed(): Promise<boolean>;
  };
}

export class SpeedLimits {
  constructor(private readonly deps: SpeedLimitsDeps) {}

  /** As stored, whichever pair is in force. */
  get stored(): LimitsDto {
    return this.deps.settings.limits;
  }

  /** @throws AppError `STORAGE_FAILED`, `ENGINE_TIMEOUT` */
  async set(limits: LimitsDto): Promise<void> {
    await this.deps.settings.setLimits(limits);
    await this.apply();
  }

  /** Whether the alternative pair is in force now. @throws as {@link set} */
  async toggleAlt(): Promise<boolean> {
    const isActive = await this.deps.settings.toggleAltSpeed();
    await this.apply();
    return isActive;
  }

  /** Tells the engine; one that is away is told when it is back. @throws AppError `ENGINE_TIMEOUT` */
  async apply(): Promise<void> {
    const { engine, settings } = this.deps;
    try {
      await engine.client.setRateLimits(settings.rateLimits);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'ENGINE_EXITED') throw error;
    }
  }
}
