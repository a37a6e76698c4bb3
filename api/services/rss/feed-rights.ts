// For whom and with which rights a feed adds things: as its owner, with the least rights of all who shaped what is added (who
// gave the feed its address, who gave the filter its words). Whoever changes address or filters of another's feed becomes
// its owner, unless an administrator, who may act for anybody: so nobody makes another's account add things. Pure.
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

/** The feed after somebody gave it an address. */
export function afterAddress(feed: FeedHands, changer: Changer): Required<FeedHands> {
  return { created_by: ownerAfter(feed, changer), shaped_by: [changer.id] };
}

/** The feed after somebody turned it on, or made or changed one of its filters; its address is of those who gave it. */
export function takenOver(feed: FeedHands, changer: Changer): Required<FeedHands> {
  return { created_by: ownerAfter(feed, changer), shaped_by: shapersOf(feed, feed) };
}

/** Of a filter in that feed, after somebody changed it. */
export function filterShapers(filter: FilterHands, feed: FeedHands, changer: Changer): AccountId[] {
  return [...new Set([...shapersOf(filter, feed), changer.id])];
}

/** What was stored before it was noted who shaped it is its owner's work. */
export function shapersOf({ shaped_by }: FilterHands, { created_by }: FeedHands): AccountId[] {
  return shaped_by ? [...shaped_by] : [created_by];
}

/**
 * The account that things are added as, with no more than the role it may be judged by; null: nothing is added. What an
 * account did that is gone is account 1's, as its torrents are, unless somebody is left who had a hand in it. One that is
 * disabled or may not add torrents has nothing added, and nobody gets it in its place.
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
