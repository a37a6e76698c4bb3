// Which categories and tags there are. Owns: names are unique without case within a kind, and no id is given out twice,
// so a torrent that has the id of a deleted one has none (shared-protocol/library-record.ts).
import { z } from 'zod';
import {
  categorySchema,
  tagSchema,
  type CategoryDto,
  type ChangedCategory,
  type TagDto,
} from '../../../shared-protocol/dto/labels.js';
import { idSchema } from '../../../shared-protocol/dto/fields.js';
import { because } from '../../../shared-protocol/reasons.js';
import type { Collection } from '../../../storage/types.js';
import { RequestError } from '../../errors.js';

/** No spec value: far more than a user looks through, and a file that is still quickly written. */
const MAX_OF_A_KIND = 10_000;
/** Characters of the paths of all categories: each may be as long as a path is, and the file is written whole with each change. */
const MAX_PATH_CHARS = 1024 * 1024;

export const labelsSchema = z.object({
  next_category_id: idSchema,
  next_tag_id: idSchema,
  categories: z.array(categorySchema),
  tags: z.array(tagSchema),
});
export type LabelsData = z.infer<typeof labelsSchema>;
export const NO_LABELS: LabelsData = { next_category_id: 1, next_tag_id: 1, categories: [], tags: [] };

export interface LabelsDeps {
  readonly collection: Collection<LabelsData>;
}

export class Labels {
  #revision = 0;
  #categories: ReadonlyMap<number, CategoryDto>;
  #tags: ReadonlyMap<number, TagDto>;

  constructor(private readonly deps: LabelsDeps) {
    this.#categories = byId(deps.collection.data.categories);
    this.#tags = byId(deps.collection.data.tags);
    deps.collection.onChanged(() => this.#take());
  }

  /** Rises with every change of a category or tag: what was encoded with an older one is out of date. */
  get revision(): number {
    return this.#revision;
  }

  /** In the order in which they were made. */
  get categories(): readonly CategoryDto[] {
    return this.deps.collection.data.categories;
  }

  /** In the order in which they were made. */
  get tags(): readonly TagDto[] {
    return this.deps.collection.data.tags;
  }

  /** O(1). */
  category(id: number): CategoryDto | undefined {
    return this.#categories.get(id);
  }

  /** O(1). */
  tag(id: number): TagDto | undefined {
    return this.#tags.get(id);
  }

  /** Returns the id. @throws RequestError `NAME_TAKEN`, `BODY_INVALID` past the bound; AppError `STORAGE_FAILED` */
  async createCategory({ auto_move, ...category }: Omit<ChangedCategory, 'id'>): Promise<number> {
    let id = 0;
    await this.#update((data) => {
      ensureRoom(data.categories, 'categories');
      ensureFree(data.categories, category.name);
      ensureShort(data.categories, category);
      id = data.next_category_id++;
      data.categories.push({ ...category, id, auto_move: auto_move ?? false });
    });
    return id;
  }

  /** Leaves `auto_move` as it is where that is not given. @throws RequestError `NOT_FOUND`, `NAME_TAKEN`; AppError `STORAGE_FAILED` */
  async changeCategory({ auto_move, ...category }: ChangedCategory): Promise<void> {
    await this.#update((data) => {
      const index = indexIn(data.categories, category.id, 'category');
      ensureFree(data.categories, category.name, category.id);
      ensureShort(data.categories, category);
      const isMoving = auto_move ?? data.categories[index]?.auto_move ?? false;
      data.categories[index] = { ...category, auto_move: isMoving };
    });
  }

  /** @throws RequestError `NOT_FOUND`; AppError `STORAGE_FAILED` */
  async deleteCategory(id: number): Promise<void> {
    await this.#update(({ categories }) => void categories.splice(indexIn(categories, id, 'category'), 1));
  }

  /** Returns the id. @throws as {@link createCategory} */
  async createTag({ name, color }: Omit<TagDto, 'id'>): Promise<number> {
    let id = 0;
    await this.#update((data) => {
      ensureRoom(data.tags, 'tags');
      ensureFree(data.tags, name);
      id = data.next_tag_id++;
      data.tags.push({ id, name, color });
    });
    return id;
  }

  /** @throws as {@link changeCategory} */
  async changeTag(tag: TagDto): Promise<void> {
    await this.#update(({ tags }) => {
      const index = indexIn(tags, tag.id, 'tag');
      ensureFree(tags, tag.name, tag.id);
      tags[index] = tag;
    });
  }

  /** @throws as {@link deleteCategory} */
  async deleteTag(id: number): Promise<void> {
    await this.#update(({ tags }) => void tags.splice(indexIn(tags, id, 'tag'), 1));
  }

  async #update(change: (data: LabelsData) => void): Promise<void> {
    const { collection } = this.deps;
    await collection.update(change);
    this.#take();
  }

  #take(): void {
    const { collection } = this.deps;
    this.#categories = byId(collection.data.categories);
    this.#tags = byId(collection.data.tags);
    this.#revision++;
  }
}

function byId<Item extends { readonly id: number }>(items: readonly Item[]): ReadonlyMap<number, Item> {
  return new Map(items.map((item) => [item.id, item]));
}

function indexIn(items: readonly { readonly id: number }[], id: number, kind: string): number {
  const index = items.findIndex((item) => item.id === id);
  if (index === -1) throw new RequestError('NOT_FOUND', `${kind} not found`);
  return index;
}

function ensureRoom(items: readonly unknown[], kinds: string): void {
  if (items.length >= MAX_OF_A_KIND)
    throw new RequestError(
      'BODY_INVALID',
      `${kinds}: at most ${MAX_OF_A_KIND}`,
      because('QUOTA_EXCEEDED', { of: kinds, max: MAX_OF_A_KIND }),
    );
}

/** The paths of all with the changed one, which may take the place of one; a path that gets no longer always has room. */
function ensureShort(
  items: readonly Pick<CategoryDto, 'id' | 'default_save_path'>[],
  { id, default_save_path: path }: Partial<Pick<CategoryDto, 'id'>> & Pick<CategoryDto, 'default_save_path'>,
): void {
  const before = items.find((item) => item.id === id)?.default_save_path.length ?? 0;
  const chars = items.reduce((sum, { default_save_path }) => sum + default_save_path.length, path.length - before);
  if (path.length <= before || chars <= MAX_PATH_CHARS) return;
  throw new RequestError(
    'BODY_INVALID',
    `default_save_path: those of all categories together have at most ${MAX_PATH_CHARS} characters`,
  );
}

function ensureFree(
  items: readonly { readonly id: number; readonly name: string }[],
  name: string,
  own?: number,
): void {
  const folded = withoutCase(name);
  const isTaken = items.some((item) => item.id !== own && withoutCase(item.name) === folded);
  if (isTaken) throw new RequestError('NAME_TAKEN', 'name: already used');
}

/** The form in which names are compared. Lower case of NFC need not be NFC. */
export function withoutCase(name: string): string {
  return name.toLowerCase().normalize('NFC');
}
