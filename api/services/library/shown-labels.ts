// Which categories and tags an account is shown: all, where it may use or manage them; else those on torrents that it sees,
// without the paths, which are of no use to it. Their names say what others of the service do.
import type { CategoryDto, TagDto } from '../../../shared-protocol/dto/labels.js';
import { hasPermission, type Account } from '../../auth/account.js';
import type { Labels } from './labels.js';
import type { Library } from './library.js';

/** A torrent is added in a category, and so is what a filter lets through. */
const USERS = ['perm_add_torrents', 'perm_manage_cat_tags', 'perm_manage_rss'] as const;

export interface ShownLabelsDeps {
  readonly labels: Pick<Labels, 'categories' | 'tags'>;
  readonly library: Pick<Library, 'visibleTo'>;
}

export class ShownLabels {
  constructor(private readonly deps: ShownLabelsDeps) {}

  /** In the order in which they were made. */
  categories(account: Account): CategoryDto[] {
    const { labels, library } = this.deps;
    if (mayUse(account)) return [...labels.categories];
    const used = new Set<number | null>();
    for (const { library: record } of library.visibleTo(account)) used.add(record.categoryId);
    const seen = labels.categories.filter(({ id }) => used.has(id));
    return seen.map((category) => ({ ...category, default_save_path: '' }));
  }

  /** In the order in which they were made. */
  tags(account: Account): TagDto[] {
    const { labels, library } = this.deps;
    if (mayUse(account)) return [...labels.tags];
    const used = new Set<number>();
    for (const { library: record } of library.visibleTo(account)) for (const id of record.tagIds) used.add(id);
    return labels.tags.filter(({ id }) => used.has(id));
  }
}

function mayUse(account: Account): boolean {
  return USERS.some((permission) => hasPermission(account, permission));
}
