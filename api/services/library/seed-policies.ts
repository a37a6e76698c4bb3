// When one torrent has seeded enough, and what is done with it then, as its own rule says it: in the two limits of the
// contract, or in all fields. What it leaves out is decided by the shared rules (seeding-rules.ts). Enforced in
// seeding-check.ts.
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import type { SeedingInForceDto, SeedingRuleDto } from '../../../shared-protocol/dto/seeding.js';
import type { Access, SeedPolicyBody, SeedPolicyDto } from '../../../shared-protocol/dto/torrents.js';
import type { SeedPolicy } from '../../../shared-protocol/library-record.js';
import { because } from '../../../shared-protocol/reasons.js';
import { notFound, RequestError } from '../../errors.js';
import type { Labels } from './labels.js';
import type { Library } from './library.js';
import { policyOf, removes } from './seeding-in-force.js';
import type { SeedingRules } from './seeding-rules.js';
import { includesAccess, type ListedTorrent } from './shares.js';

/** docs/semantics.md section 5. */
const NO_OVERRIDE: SeedPolicyDto = { use_global: true, ratio_limit: null, time_min_limit: null };

export interface SeedPoliciesDeps {
  readonly rules: Pick<SeedingRules, 'inForce'>;
  readonly labels: Pick<Labels, 'tag'>;
  readonly library: Pick<Library, 'editRecord'>;
}

export class SeedPolicies {
  constructor(private readonly deps: SeedPoliciesDeps) {}

  /** The two limits of the contract; one that its own rule leaves out is shown as it holds. */
  of(torrent: Pick<ListedTorrent, 'library' | 'trackers'>): SeedPolicyDto {
    if (!torrent.library.seedPolicy) return NO_OVERRIDE;
    const { ratio_limit, time_min_limit } = this.inForce(torrent).in_force;
    return { use_global: false, ratio_limit, time_min_limit };
  }

  inForce(torrent: Pick<ListedTorrent, 'library' | 'trackers'>): SeedingInForceDto {
    return this.deps.rules.inForce(torrent);
  }

  /** @throws RequestError `NOT_FOUND`; AppError of the engine */
  set(share: ShareRef, policy: SeedPolicyBody): Promise<void> {
    return this.#store(share, overrideOf(policy));
  }

  /**
   * null: it has none. `access`: of the account that sets it; who may not remove the torrent does not have it removed.
   * @throws RequestError `SEEDING_RULE_REFUSED`, `NOT_FOUND`; AppError of the engine
   */
  async setRule(share: ShareRef, rule: SeedingRuleDto | null, access: Access): Promise<void> {
    const { action, tag_id } = rule ?? {};
    if (removes(action) && !includesAccess(access, 'owner')) {
      throw new RequestError(
        'SEEDING_RULE_REFUSED',
        'action: only the owner of the torrent may have it removed',
        because('REMOVAL_BY_OWNER'),
      );
    }
    if (action === 'tag' && tag_id !== undefined && !this.deps.labels.tag(tag_id)) throw notFound('tag');
    await this.#store(share, rule && policyOf(rule));
  }

  #store(share: ShareRef, seedPolicy: SeedPolicy | null): Promise<void> {
    return this.deps.library.editRecord(share, (record) => ({ ...record, seedPolicy }));
  }
}

/** Both limits null is a policy too: no limit, whatever the defaults are. */
export function overrideOf({
  use_global,
  ratio_limit = null,
  time_min_limit = null,
}: SeedPolicyBody): SeedPolicy | null {
  return use_global ? null : { ratioLimit: ratio_limit, minutesLimit: time_min_limit };
}
