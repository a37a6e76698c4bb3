// The pages one goes to from anywhere.
import type { IconName } from '../../ui/icons.jsx';

export const PAGES: readonly {
  readonly path: string;
  readonly icon: IconName;
  readonly title: 'torrents' | 'feeds' | 'settings';
}[] = [
  { path: '/', icon: 'list', title: 'torrents' },
  { path: '/feeds', icon: 'feed', title: 'feeds' },
  { path: '/settings', icon: 'settings', title: 'settings' },
];
