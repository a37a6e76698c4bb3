// Settings, feeds and rules as another program has them, in words of no program: what the readers make of its configuration, and all
// that the rest of an import knows of them. What that program has not limited is absent, and stays as it is here.
import type { RuleDto } from '../../../shared-protocol/dto/schedule.js';
import type { SeedingRuleForAllDto } from '../../../shared-protocol/dto/seeding.js';
import type { LimitsDto, QueueLimitsDto } from '../../../shared-protocol/dto/settings.js';
import type { Remark } from '../../../shared-protocol/import-remarks/remark.js';

export type ForeignLimits = Partial<LimitsDto>;
export type ForeignSeedingLimits = Partial<
  Pick<SeedingRuleForAllDto, 'ratio_limit' | 'time_min_limit' | 'inactive_min_limit'>
>;

/** A part of the week. */
export type ForeignWindow = Pick<RuleDto, 'days_mask' | 'start_min' | 'end_min'>;

export interface ForeignCategorySeeding {
  readonly category: string;
  /** null: no limit, whatever holds for others. */
  readonly ratioLimit: number | null;
}

export interface ForeignFeed {
  readonly url: string;
  /** The first one that is free is taken. */
  readonly names: readonly string[];
  /** Minutes between polls; 0: as here. */
  readonly intervalMin: number;
  readonly isEnabled: boolean;
}

/** A rule of feeds that filters can say exactly. */
export interface ForeignFilter {
  readonly name: string;
  /** Empty matches all. */
  readonly regex: string;
  /** Empty leaves out none. */
  readonly excludeRegex: string;
  readonly feedUrls: readonly string[];
  /** Empty: none. */
  readonly category: string;
  readonly tags: readonly string[];
  /** Whether what it adds is paused. */
  readonly isPaused: boolean;
  /** The path as it was found; empty: none of its own. */
  readonly savePath: string;
  readonly isEnabled: boolean;
  /** Where it differs; null: nowhere. */
  readonly note: Remark | null;
}

/** A setting or rule that cannot be said here, and why. */
export interface LeftOut {
  readonly name: Remark;
  readonly reason: Remark;
}

export interface ForeignSettings {
  readonly limits: ForeignLimits;
  readonly queue: Partial<QueueLimitsDto>;
  readonly seeding: ForeignSeedingLimits;
  readonly categorySeeding: readonly ForeignCategorySeeding[];
  /** When the alternative limits hold. */
  readonly schedule: readonly ForeignWindow[];
  /** Patterns of names of files that are not wanted. */
  readonly excludedNames: readonly string[];
  /** The address of a list; empty: none. */
  readonly blocklistUrl: string;
  readonly feeds: readonly ForeignFeed[];
  readonly filters: readonly ForeignFilter[];
  readonly leftOut: readonly LeftOut[];
}

export const NO_SETTINGS: ForeignSettings = {
  ...{ limits: {}, queue: {}, seeding: {}, categorySeeding: [], schedule: [], excludedNames: [] },
  ...{ blocklistUrl: '', feeds: [], filters: [], leftOut: [] },
};
