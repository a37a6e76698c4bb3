// Addresses banned by hand, one on each line: shown to administrators, and changed by them alone. Networks, which
// qBittorrent has none of, stand among them, so that a tool that sends back what it was shown unbans nobody.
import { z } from 'zod';
import { RequestError } from '../../../../errors.js';
import { readBanned } from '../../../../services/blocklist/banned-network.js';
import { preferenceGroup } from '../../../preference-group.js';

/** No spec value: more than all bans that there may be. */
const MAX_TEXT_CHARS = 1024 * 1024;

export const banPreferences = preferenceGroup({
  shown: ({ services, principal }) => ({
    banned_IPs: principal.account.role === 'admin' ? services.bans.addresses.join('\n') : '',
  }),
  wishes: z.object({ banned_IPs: z.string().max(MAX_TEXT_CHARS).optional() }),
  prepare: ({ banned_IPs: text = '' }, _shown, { services, principal }) => {
    if (principal.account.role !== 'admin') throw new RequestError('FORBIDDEN');
    const addresses = text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    const bad = addresses.findIndex((address) => readBanned(address) === null);
    if (bad >= 0) throw new RequestError('BODY_INVALID', `banned_IPs: no address: ${addresses[bad]!.slice(0, 100)}`);
    return () => services.bans.replace(principal.account.id, addresses);
  },
});
