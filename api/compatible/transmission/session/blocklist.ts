// Addresses to keep away from. The URL of the list may hold a secret, which is shown to those who may change it.
import { z } from 'zod';
import { urlSchema } from '../../../../shared-protocol/dto/fields.js';
import { hasPermission } from '../../../auth/account.js';
import type { Call, Result } from '../row.js';
import { merged, preferenceGroup } from '../../preference-group.js';
import { flagSchema } from './fields.js';

export const blocklistSettings = preferenceGroup({
  shown: ({ services, principal }) => {
    const withSecrets = hasPermission(principal.account, 'perm_change_settings');
    const { enabled, url, entries } = services.blocklist.shown({ withSecrets });
    return { blocklist_enabled: enabled, blocklist_url: url, blocklist_size: entries };
  },
  wishes: z.object({ blocklist_enabled: flagSchema.optional(), blocklist_url: urlSchema.optional() }),
  prepare: async (wish, shown, { services }) => {
    const { blocklist_enabled: enabled, blocklist_url: url } = merged(shown, wish);
    await services.blocklist.check({ url, enabled }, 'blocklist_url');
    return () => services.blocklist.set({ url, enabled });
  },
});

/** Answers when the list is there. @throws RequestError `URL_REFUSED`, `UPSTREAM_FAILED` */
export async function updateBlocklist({ services }: Call): Promise<Result> {
  await services.blocklist.refresh();
  return { 'blocklist-size': services.blocklist.shown({ withSecrets: false }).entries };
}
