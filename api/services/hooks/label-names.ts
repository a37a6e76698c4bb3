// The labels of a torrent by their names, as receivers of hooks are told them; those that were deleted are left out.
import type { LibraryRecord } from '../../../shared-protocol/library-record.js';
import type { KnownLabels } from '../library/torrent-dto.js';

export interface LabelNames {
  readonly category: string | null;
  readonly tags: readonly string[];
}

export function labelNames({ categoryId, tagIds }: LibraryRecord, labels: KnownLabels): LabelNames {
  return {
    category: (categoryId !== null && labels.category(categoryId)?.name) || null,
    tags: tagIds.flatMap((id) => labels.tag(id)?.name ?? []),
  };
}
