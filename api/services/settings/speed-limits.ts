// The limits over all torrents: stored first, then in force. An engine that takes another's place is told them again.
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { RateLimits } from '../../../shared-protocol/commands/limits.js';
import type { LimitsDto, LimitsInForceDto } from '../../../shared-protocol/dto/settings.js';
import type { Clock } from '../../clocks.js';
import { tellEngine } from './engine-settings.js';
import { toRateLimits } from './rate-units.js';
import { limitsInForce } from './limits-in-force.js';
import { localIsoTime } from './local-time.js';
import type { ScheduleRules } from './schedule-rules.js';
import { weekMinuteAt } from './schedule-window.js';
import type { Settings } from './settings.js';

export interface SpeedLimitsDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'setRateLimits'> };
  readonly settings: Pick<Settings, 'stored' | 'edit'>;
  readonly rules: Pick<ScheduleRules, 'all'>;
  readonly clock: Pick<Clock, 'unixMs'>;
}

export class SpeedLimits {
  constructor(private readonly deps: SpeedLimitsDeps) {}

  /** The limits as stored, whichever pair is in force. */
  get stored(): LimitsDto {
    return this.deps.settings.stored('limits');
  }

  /** The limits that hold, and why. */
  get inForce(): LimitsInForceDto {
    const { rules, clock } = this.deps;
    const unixMs = clock.unixMs();
    return { ...limitsInForce(this.stored, rules.all, weekMinuteAt(unixMs)), now: localIsoTime(unixMs) };
  }

  /** The limits that hold, as the engine takes them. */
  get rateLimits(): RateLimits {
    return toRateLimits(this.inForce);
  }

  /** @throws AppError `STORAGE_FAILED`, `ENGINE_TIMEOUT` */
  async set(limits: LimitsDto): Promise<void> {
    await this.edit(() => limits);
  }

  /** Like {@link set}, from what is stored when its turn comes. @throws as {@link set} */
  async edit(change: (stored: LimitsDto) => LimitsDto): Promise<void> {
    await this.deps.settings.edit('limits', change);
    await this.apply();
  }

  /** Whether the user wants the alternative pair now. @throws as {@link set} */
  async toggleAlt(): Promise<boolean> {
    let isActive = false;
    await this.edit((limits) => {
      isActive = !limits.alt_active;
      return { ...limits, alt_active: isActive };
    });
    return isActive;
  }

  /** Tells the engine; one that is away is told when it is back. @throws AppError `ENGINE_TIMEOUT` */
  async apply(): Promise<void> {
    await tellEngine(() => this.deps.engine.client.setRateLimits(this.rateLimits));
  }
}
