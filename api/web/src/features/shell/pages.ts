// The pages one goes to from anywhere.
import { LIST_PATH, listAddress } from '../list/filter-in-url.js';
import type { ListModel } from '../list/list-model.js';
import type { IconName } from '../../ui/icons.jsx';

export const PAGES: readonly {
  readonly path: string;
  readonly icon: IconName;
  readonly title: 'torrents' | 'statistics' | 'feeds' | 'settings';
}[] = [
  { path: '/', icon: 'list', title: 'torrents' },
  { path: '/statistics', icon: 'chart', title: 'statistics' },
  { path: '/feeds', icon: 'feed', title: 'feeds' },
  { path: '/settings', icon: 'settings', title: 'settings' },
];

/** The list is come back to as it was left. */
export function addressOf(path: string, model: ListModel): string {
  return path === LIST_PATH ? listAddress(model) : path;
}
