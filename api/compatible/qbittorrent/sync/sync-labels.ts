// Categories and tags as `sync/maindata` tells an account of them: by name, as many as it is shown.
import type { Account } from '../../../auth/account.js';
import type { Labels } from '../../../services/library/labels.js';
import type { ShownLabels } from '../../../services/library/shown-labels.js';
import type { ObjectMoment } from '../objects/object-list.js';

export interface SyncLabels {
  readonly categories: Readonly<Record<string, { readonly name: string; readonly savePath: string }>>;
  readonly tags: readonly string[];
}

/** The labels of one account; the same object while nothing has changed. */
export class LabelsOfAccount {
  #last: { readonly revision: number; readonly moment: ObjectMoment; readonly labels: SyncLabels } | null = null;

  constructor(
    private readonly deps: { readonly labels: Pick<Labels, 'revision'>; readonly shownLabels: ShownLabels },
  ) {}

  /** `moment`: of the account's torrents, whose labels are all that some accounts are shown. */
  at(account: Account, moment: ObjectMoment): SyncLabels {
    const { labels, shownLabels } = this.deps;
    const { revision } = labels;
    if (this.#last?.revision === revision && this.#last.moment === moment) return this.#last.labels;
    const categories = shownLabels.categories(account);
    const made: SyncLabels = {
      categories: Object.fromEntries(
        categories.map(({ name, default_save_path }) => [name, { name, savePath: default_save_path }]),
      ),
      tags: shownLabels.tags(account).map(({ name }) => name),
    };
    const isSame = this.#last !== null && JSON.stringify(this.#last.labels) === JSON.stringify(made);
    this.#last = { revision, moment, labels: isSame ? this.#last!.labels : made };
    return this.#last.labels;
  }
}
