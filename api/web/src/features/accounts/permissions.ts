// The permissions in the order in which they are shown.
import type { Permission } from '../../../../../shared-protocol/dto/accounts.js';

export const PERMISSIONS: readonly Permission[] = [
  'perm_add_torrents',
  'perm_share',
  'perm_manage_cat_tags',
  'perm_manage_rss',
  'perm_change_settings',
];
