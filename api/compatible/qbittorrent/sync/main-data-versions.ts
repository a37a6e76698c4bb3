// What the accounts were told by `sync/maindata` last, by the numbers of the answers. They are an account's and no session's:
// a tool that signs in with a key has none, and several pages of one account are told of the same versions.
import type { AccountId } from '../../../../shared-protocol/ids.js';
import type { Account } from '../../../auth/account.js';
import type { Services } from '../../../routes/services.js';
import type { StreamedBody } from '../../../routes/streamed-body.js';
import type { ObjectLists } from '../objects/object-lists.js';
import { changedMainData, fullMainData, type MainData } from './main-data.js';
import { StateOfAccount, type StateServices } from './server-state.js';
import { LabelsOfAccount } from './sync-labels.js';
import { Versions } from './versions.js';

const MAX_ACCOUNTS = 32;
/** Versions of an account: of some pages that ask at different times. Each holds what has changed up to the next one. */
const MAX_VERSIONS = 16;

interface Told {
  readonly labels: LabelsOfAccount;
  readonly state: StateOfAccount;
  readonly versions: Versions<MainData>;
  last: { readonly rid: number; readonly data: MainData } | null;
}

export class MainDataVersions {
  /** In the order of their use, the latest last. */
  readonly #accounts = new Map<AccountId, Told>();

  constructor(private readonly lists: ObjectLists) {}

  /** `rid`: of the answer that the client has; everything where that is not known. */
  async answer(
    services: StateServices & Pick<Services, 'labels' | 'shownLabels'>,
    account: Account,
    rid: number,
  ): Promise<StreamedBody> {
    const told = this.#toldTo(account.id, services);
    const moment = await this.lists.of(account);
    const data = {
      moment,
      labels: told.labels.at(account, moment),
      state: await told.state.at(services, account, moment, performance.now()),
    };
    const before = told.versions.find(rid);
    const now = this.#versionOf(told, data);
    const { clock } = this.lists;
    return before ? changedMainData(now.rid, before, now.data, clock) : fullMainData(now.rid, now.data, clock);
  }

  /** The last one again while nothing has changed. */
  #versionOf(told: Told, data: MainData): { readonly rid: number; readonly data: MainData } {
    const { last, versions } = told;
    const isSame =
      last?.data.moment === data.moment && last.data.labels === data.labels && last.data.state === data.state;
    if (isSame && versions.find(last.rid)) return last;
    return (told.last = { rid: versions.add(data), data });
  }

  #toldTo(id: AccountId, { labels, shownLabels }: Pick<Services, 'labels' | 'shownLabels'>): Told {
    const told = this.#accounts.get(id) ?? {
      labels: new LabelsOfAccount({ labels, shownLabels }),
      state: new StateOfAccount(),
      versions: new Versions<MainData>(MAX_VERSIONS),
      last: null,
    };
    this.#accounts.delete(id);
    this.#accounts.set(id, told);
    const [longestUnused] = this.#accounts.keys();
    if (this.#accounts.size > MAX_ACCOUNTS && longestUnused !== undefined) this.#accounts.delete(longestUnused);
    return told;
  }
}
