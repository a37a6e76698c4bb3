// When seeding ends: the defaults, and what a torrent has instead of both of them. Enforced in seeding-check.ts.
import type { ShareRef } from '../../../shared-protocol/commands.js';
import type { SeedingDefaultsDto } from '../../../shared-protocol/dto/settings.js';
import type { SeedPolicyBody, SeedPolicyDto } from '../../../shared-protocol/dto/torrents.js';
import type { TorrentFacts } from '../../../shared-protocol/events.js';
import type { SeedPolicy } from '../../../shared-protocol/library-record.js';
import type { Library } from './library.js';
import type { Settings } from '../settings/settings.js';

/** docs/semantics.md section 5. */
const NO_OVERRIDE: SeedPolicyDto = { use_global: true, ratio_limit: null, time_min_limit: null };

export interface SeedPoliciesDeps {
  readonly settings: Pick<Settings, 'stored' | 'store'>;
  readonly library: Pick<Library, 'editRecord'>;
}

export class SeedPolicies {
  constructor(private readonly deps: SeedPoliciesDeps) {}

  get defaults(): SeedingDefaultsDto {
    return this.deps.settings.stored('seeding_defaults');
  }

  /** @throws AppError `STORAGE_FAILED` */
  setDefaults(defaults: SeedingDefaultsDto): Promise<void> {
    return this.deps.settings.store('seeding_defaults', defaults);
  }

  of({ library: { seedPolicy } }: Pick<TorrentFacts, 'library'>): SeedPolicyDto {
    if (!seedPolicy) return NO_OVERRIDE;
    return { use_global: false, ratio_limit: seedPolicy.ratioLimit, time_min_limit: seedPolicy.minutesLimit };
  }

  /** @throws RequestError `NOT_FOUND`; AppError of the engine */
  set(share: ShareRef, policy: SeedPolicyBody): Promise<void> {
    const seedPolicy = overrideOf(policy);
    return this.deps.library.editRecord(share, (record) => ({ ...record, seedPolicy }));
  }
}

/** Both limits null is a policy too: no limit, whatever the defaults are. */
function overrideOf({ use_global, ratio_limit = null, time_min_limit = null }: SeedPolicyBody): SeedPolicy | null {
  return use_global ? null : { ratioLimit: ratio_limit, minutesLimit: time_min_limit };
}
