// Categories and tags: the same for everybody.
import type { CategoryDto, TagDto } from '../../../../shared-protocol/dto/labels.js';
import { createRemote } from './resource.js';

export const categories = createRemote<readonly CategoryDto[]>('/api/categories');
export const tags = createRemote<readonly TagDto[]>('/api/tags');

export function categoryOf(id: number | null): CategoryDto | undefined {
  return id === null ? undefined : categories.value()?.find((category) => category.id === id);
}
