// For which account and with which rights a feed adds things: as its owner, with the least rights of all accounts that
// shaped what is added (gave the feed its address, gave the filter its words). An account that changes address or
// filters of another's feed becomes its owner, unless it is an administrator, who may act for every account: so no user
// makes another's account add things. Pure.
import { ADMIN_ACCOUNT_ID, type AccountId } from '../../../shared-protocol/ids.js';
import { hasPermission, type Account } from '../../auth/account.js';

export interface FeedHands {
  readonly created_by: AccountId;
  readonly shaped_by?: readonly AccountId[] | undefined;
}
export interface FilterHands {
  readonly shaped_by?: readonly AccountId[] | undefined;
}

type Changer = Pick<Account, 'id' | 'role'>;
type FindAccount = (id: AccountId) => Account | undefined;

/** The feed after an account gave it an address. */
export function afterAddress(feed: FeedHands, changer: Changer): Required<FeedHands> {
  return { created_by: ownerAfter(feed, changer), shaped_by: [changer.id] };
}

/** The feed after an account turned it on, or made or changed one of its filters; its address keeps its shapers. */
export function takenOver(feed: FeedHands, changer: Changer): Required<FeedHands> {
  return { created_by: ownerAfter(feed, changer), shaped_by: shapersOf(feed, feed) };
}

/** The shapers of a filter in that feed, after an account changed it. */
export function filterShapers(filter: FilterHands, feed: FeedHands, changer: Changer): AccountId[] {
  return [...new Set([...shapersOf(filter, feed), changer.id])];
}

/** Returns who shaped it; what was stored before that was noted is its owner's work. */
export function shapersOf({ shaped_by }: FilterHands, { created_by }: FeedHands): AccountId[] {
  return shaped_by ? [...shaped_by] : [created_by];
}

/**
 * The account that things are added as, with no more than the role it may be judged by; null: nothing is added. What an
 * account did that is gone is account 1's, as its torrents are, unless another is left that had a hand in it. One that
 * is disabled or may not add torrents has nothing added, and no other gets it in its place.
 */
export function actingAccount(feed: FeedHands, filter: FilterHands, find: FindAccount): Account | null {
  const hands = [...shapersOf(feed, feed), ...shapersOf(filter, feed)].flatMap((id) => find(id) ?? []);
  const heir = hands.find(({ role }) => role !== 'admin') ?? find(ADMIN_ACCOUNT_ID);
  const owner = find(feed.created_by) ?? heir;
  if (!owner) return null;
  const all = [owner, ...hands];
  if (!all.every((account) => !account.disabled && hasPermission(account, 'perm_add_torrents'))) return null;
  return all.every(({ role }) => role === 'admin') ? owner : { ...owner, role: 'user' };
}

function ownerAfter({ created_by }: FeedHands, { id, role }: Changer): AccountId {
  return role === 'admin' ? created_by : id;
}
