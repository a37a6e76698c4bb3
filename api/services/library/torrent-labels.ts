// Categories, tags and names that people give to torrents. Which labels there are is in labels.ts; what a torrent has is in its
// library record.
import { isDeepStrictEqual } from 'node:util';
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import type { LibraryRecord } from '../../../shared-protocol/library-record.js';
import { MAX_TAGS, MAX_TAGS_BYTES } from '../../../shared-protocol/torrent-bounds.js';
import { notFound, RequestError } from '../../errors.js';
import type { Labels } from './labels.js';
import type { Library } from './library.js';

export interface TorrentLabelsDeps {
  readonly labels: Pick<Labels, 'category' | 'tag'>;
  readonly library: Pick<Library, 'editRecord'>;
}

export class TorrentLabels {
  constructor(private readonly deps: TorrentLabelsDeps) {}

  /** null takes it out of its category. @throws RequestError `NOT_FOUND` */
  async setCategory(share: ShareRef, categoryId: number | null): Promise<void> {
    if (categoryId !== null && !this.deps.labels.category(categoryId)) throw notFound('category');
    await this.deps.library.editRecord(share, (record) =>
      record.categoryId === categoryId ? record : { ...record, categoryId },
    );
  }

  /** For those who see this share. null or empty: the torrent's own name is shown again. */
  setName(share: ShareRef, name: string | null): Promise<void> {
    return this.deps.library.editRecord(share, ({ name: _before, ...record }) => (name ? { ...record, name } : record));
  }

  /** @throws RequestError `NOT_FOUND`, `BODY_INVALID` when the torrent has as many as it may */
  assignTag(share: ShareRef, tagId: number): Promise<void> {
    return this.assignTags(share, [tagId], 'tag_id');
  }

  /** All of them or none; `field` names them in a refusal. @throws as {@link assignTag} */
  async assignTags(share: ShareRef, tagIds: readonly number[], field = 'tags'): Promise<void> {
    await this.#editTags(share, tagIds, (before) => {
      const added = tagIds.filter((id) => !before.includes(id));
      if (added.length === 0) return before;
      assertTagsFit([...before, ...added], this.deps.labels, field);
      return [...before, ...added];
    });
  }

  /** @throws RequestError `NOT_FOUND` when there is no such tag at all */
  unassignTag(share: ShareRef, tagId: number): Promise<void> {
    return this.unassignTags(share, [tagId]);
  }

  /** @throws as {@link unassignTag} */
  async unassignTags(share: ShareRef, tagIds: readonly number[]): Promise<void> {
    await this.#editTags(share, tagIds, (before) =>
      before.some((id) => tagIds.includes(id)) ? before.filter((id) => !tagIds.includes(id)) : before,
    );
  }

  /** In place of those before. @throws as {@link assignTag} */
  async setTags(share: ShareRef, tagIds: readonly number[]): Promise<void> {
    assertTagsFit(tagIds, this.deps.labels, 'tags');
    await this.#editTags(share, tagIds, (before) => (isDeepStrictEqual(before, tagIds) ? before : tagIds));
  }

  async #editTags(
    share: ShareRef,
    named: readonly number[],
    change: (tagIds: LibraryRecord['tagIds']) => LibraryRecord['tagIds'],
  ): Promise<void> {
    const { labels, library } = this.deps;
    if (named.some((id) => !labels.tag(id))) throw notFound('tag');
    await library.editRecord(share, (record) => {
      const changed = change(record.tagIds);
      // Those of deleted tags would only pile up.
      return changed === record.tagIds ? record : { ...record, tagIds: changed.filter((other) => labels.tag(other)) };
    });
  }
}

/** Refuses more tags than a torrent may have; those that have been deleted do not count. @throws RequestError `BODY_INVALID` */
export function assertTagsFit(tagIds: readonly number[], labels: Pick<Labels, 'tag'>, field: string): void {
  const tags = tagIds.flatMap((id) => labels.tag(id) ?? []);
  if (tags.length > MAX_TAGS) throw noRoom(field, `at most ${MAX_TAGS}`);
  if (Buffer.byteLength(JSON.stringify(tags)) > MAX_TAGS_BYTES)
    throw noRoom(field, `at most ${MAX_TAGS_BYTES} bytes of them`);
}

function noRoom(field: string, bound: string): RequestError {
  return new RequestError('BODY_INVALID', `${field}: the torrent has no room for it: ${bound}`);
}
