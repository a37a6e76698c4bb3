// Addresses that administrators have banned by hand: kept in the data directory, with who banned them and when, and in
// force beside the list that is fetched (enforcement.ts), whether that is enabled or not. Owns: each address is there
// once, in one spelling, and there are never more than MAX_BANS.
import { z } from 'zod';
import type { AddressRanges } from '../../../shared-protocol/address-ranges.js';
import type { BanDto } from '../../../shared-protocol/dto/bans.js';
import { idSchema, timeSchema } from '../../../shared-protocol/dto/fields.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { because } from '../../../shared-protocol/reasons.js';
import type { Collection } from '../../../storage/types.js';
import { RequestError } from '../../errors.js';
import { readBanned } from './banned-network.js';
import { readLine } from './list-line.js';
import { RangeCollector } from './range-collector.js';

/** No spec value: far more than are banned one by one; each change writes all of them. */
export const MAX_BANS = 10_000;

const storedBanSchema = z.object({ address: z.string(), banned_at: timeSchema, banned_by: idSchema });
export const bansSchema = z.object({ bans: z.array(storedBanSchema) });
export type BansData = z.infer<typeof bansSchema>;
export const NO_BANS: BansData = { bans: [] };

export interface BansDeps {
  readonly collection: Collection<BansData>;
  /** Null where there is no such account any more. */
  readonly nameOf: (accountId: number) => string | null;
  /** Tells the engine; resolves when peers there have been let go of. */
  readonly onChanged: () => Promise<void>;
  /** Unix seconds. */
  readonly now: () => number;
}

export class Bans {
  #ranges: AddressRanges | null;

  constructor(private readonly deps: BansDeps) {
    this.#ranges = rangesOf(deps.collection.data);
    // The front that has changed them tells the engines.
    deps.collection.onChanged(() => (this.#ranges = rangesOf(deps.collection.data)));
  }

  /** The ranges in force; null: nobody is banned. */
  get ranges(): AddressRanges | null {
    return this.#ranges;
  }

  /** In the order in which they were banned. */
  get addresses(): string[] {
    return this.deps.collection.data.bans.map(({ address }) => address);
  }

  /** The latest first. */
  list(): BanDto[] {
    return this.deps.collection.data.bans
      .map((ban) => ({ ...ban, banned_by: this.deps.nameOf(ban.banned_by) }))
      .reverse();
  }

  /**
   * How many were not banned before. All or none of them; in force, and peers there cut off, when it resolves.
   * @throws RequestError `BODY_INVALID` naming the address, `QUOTA_EXCEEDED`; AppError `STORAGE_FAILED`
   */
  async add(by: AccountId, addresses: readonly string[]): Promise<number> {
    const asked = new Set(addresses.map(banned));
    let added = 0;
    await this.#change((before) => {
      const there = new Set(before.map(({ address }) => address));
      const fresh = [...asked].filter((address) => !there.has(address));
      added = fresh.length;
      return [...before, ...this.#made(by, fresh)];
    });
    return added;
  }

  /** No error where one is not banned. @throws as {@link add} */
  async remove(addresses: readonly string[]): Promise<void> {
    const asked = new Set(addresses.map(banned));
    await this.#change((before) => before.filter(({ address }) => !asked.has(address)));
  }

  /** These in place of those before; what stays keeps its time and its account. @throws as {@link add} */
  async replace(by: AccountId, addresses: readonly string[]): Promise<void> {
    const asked = new Set(addresses.map(banned));
    await this.#change((before) => {
      const kept = before.filter(({ address }) => asked.has(address));
      const there = new Set(kept.map(({ address }) => address));
      return [
        ...kept,
        ...this.#made(
          by,
          [...asked].filter((address) => !there.has(address)),
        ),
      ];
    });
  }

  #made(by: AccountId, addresses: readonly string[]): BansData['bans'] {
    return addresses.map((address) => ({ address, banned_at: this.deps.now(), banned_by: by }));
  }

  async #change(change: (before: BansData['bans']) => BansData['bans']): Promise<void> {
    const { collection, onChanged } = this.deps;
    await collection.update((data) => {
      const bans = change(data.bans);
      if (bans.length > Math.max(MAX_BANS, data.bans.length)) {
        throw new RequestError('QUOTA_EXCEEDED', `bans: at most ${MAX_BANS}`, { of: 'bans', max: MAX_BANS });
      }
      data.bans = bans;
    });
    this.#ranges = rangesOf(collection.data);
    await onChanged();
  }
}

/** @throws RequestError `BODY_INVALID` */
function banned(text: string): string {
  const address = readBanned(text);
  if (address !== null) return address;
  const shown = text.slice(0, 100);
  const said = `addresses: "${shown}" is not an address or a network.`;
  throw new RequestError('BODY_INVALID', said, because('ADDRESS_INVALID', { text: shown }));
}

function rangesOf({ bans }: BansData): AddressRanges | null {
  if (bans.length === 0) return null;
  const collector = new RangeCollector();
  for (const { address } of bans) readLine(address, collector);
  return collector.finish();
}
