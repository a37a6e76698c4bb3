// Categories and tags, as far as the account is shown any.
import type { CategoryDto, TagDto } from '../../../../shared-protocol/dto/labels.js';
import { createRemote } from './resource.js';

export const categories = createRemote<readonly CategoryDto[]>('/api/categories');
export const tags = createRemote<readonly TagDto[]>('/api/tags');

/** Asked for once: one that was deleted is not there the second time either. */
const missed = new Set<number>();

export function categoryOf(id: number | null): CategoryDto | undefined {
  if (id === null) return undefined;
  const shown = categories.value();
  const category = shown?.find((candidate) => candidate.id === id);
  // Made, or come into sight with its torrent, since the list was read.
  if (shown && !category && !missed.has(id)) {
    missed.add(id);
    void categories.reload();
  }
  return category;
}
