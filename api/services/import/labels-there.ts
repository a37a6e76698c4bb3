// Categories and tags of another program, found here by their names or made. What cannot be one here is told.
import { newCategorySchema, newTagSchema } from '../../../shared-protocol/dto/labels.js';
import { remark, type Remark } from '../../../shared-protocol/import-remarks/remark.js';
import type { Account } from '../../auth/account.js';
import type { Labels } from '../library/labels.js';
import type { SavePaths } from '../settings/save-paths.js';
import { quoted } from './settings-values.js';

export interface LabelsThereDeps {
  readonly labels: Pick<Labels, 'categories' | 'tags' | 'createCategory' | 'createTag'>;
  readonly savePaths: Pick<SavePaths, 'confine'>;
  readonly account: Account;
  /** Nothing is made. */
  readonly isDryRun: boolean;
}

export class LabelsThere {
  constructor(private readonly deps: LabelsThereDeps) {}

  /** null: there is none of that name. */
  known(name: string): number | null {
    return this.deps.labels.categories.find((category) => isSame(category.name, name))?.id ?? null;
  }

  /** null: none. `savePath`: kept with one that is made, where torrents may be saved there. */
  async category(name: string, savePath: string, notes: Remark[]): Promise<number | null> {
    const { labels, savePaths, account, isDryRun } = this.deps;
    const known = this.known(name);
    if (name === '' || known !== null) return known;
    const path = savePath === '' ? '' : await savePaths.confine(account, savePath, 'path').catch(() => '');
    if (path !== savePath) notes.push(remark('CATEGORY_PATH_LEFT', { category: name, path: savePath }));
    const category = newCategorySchema.safeParse({ name, default_save_path: path, color: '' });
    if (!category.success) notes.push(remark('CATEGORY_LEFT', { name: quoted(name) }));
    if (!category.success || isDryRun) return null;
    return labels.createCategory(category.data);
  }

  async tags(names: readonly string[], notes: Remark[]): Promise<readonly number[]> {
    const ids = new Set<number>();
    for (const name of names.slice(0, MAX_TAGS)) {
      const known = this.deps.labels.tags.find((tag) => isSame(tag.name, name));
      const tag = newTagSchema.safeParse({ name, color: '' });
      if (known) ids.add(known.id);
      else if (!tag.success) notes.push(remark('TAG_LEFT', { name: quoted(name) }));
      else if (!this.deps.isDryRun) ids.add(await this.deps.labels.createTag(tag.data));
    }
    return [...ids];
  }
}

/** The most that a torrent has here. */
const MAX_TAGS = 100;

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.normalize('NFC').trim().toLowerCase();
}
