// How peers are met: the port (its number is told to those who may change settings, 0 to others), discovery, encryption,
// connections. Peers per torrent hold at once, the rest from the next
// start on; a flag of the command line stays in force, and is shown, whatever is stored. LSD and PEX are not switched.
import { z } from 'zod';
import type { EncryptionPolicy } from '../../../../../shared-protocol/encryption-policy.js';
import { hasPermission } from '../../../../auth/account.js';
import { preferenceGroup } from '../../../preference-group.js';

/** qBittorrent's: 0 allows it, 1 demands it, 2 does without it. */
const ENCRYPTION_NUMBERS: Readonly<Record<EncryptionPolicy, number>> = {
  preferred: 0,
  required: 1,
  allowed: 2,
  off: 2,
};
const REQUIRED = 1;

export const peerPreferences = preferenceGroup({
  shown: ({ services, principal }) => {
    const { port, encryption, isDhtOn, isLsdOn, isPortMappingOn, maxPeers, maxPeersPerTorrent } =
      services.engineSettings.peers;
    return {
      listen_port: hasPermission(principal.account, 'perm_change_settings') ? port : 0,
      random_port: port === 0,
      dht: isDhtOn,
      pex: true,
      lsd: isLsdOn,
      upnp: isPortMappingOn,
      encryption: ENCRYPTION_NUMBERS[encryption],
      max_connec: maxPeers,
      max_connec_per_torrent: maxPeersPerTorrent,
    };
  },
  wishes: z.object({
    listen_port: z.int().min(0).max(65_535).optional(),
    dht: z.boolean().optional(),
    upnp: z.boolean().optional(),
    encryption: z.int().min(0).max(2).optional(),
    /** -1 is no limit in qBittorrent, and the default here. */
    max_connec_per_torrent: z.int().min(-1).optional(),
  }),
  prepare:
    ({ listen_port, dht, upnp, encryption, max_connec_per_torrent }, shown, { services }) =>
    () => {
      const stored = services.engineSettings.peerLimits;
      const isOtherEncryption = encryption !== undefined && encryption !== shown.encryption && encryption !== REQUIRED;
      const isOtherBound =
        max_connec_per_torrent !== undefined && max_connec_per_torrent !== shown.max_connec_per_torrent;
      return services.engineSettings.setPeerLimits({
        listen_port: listen_port ?? stored.listen_port,
        dht_enabled: dht ?? stored.dht_enabled,
        upnp_enabled: upnp ?? stored.upnp_enabled,
        encryption_enabled: isOtherEncryption ? encryption === 0 : stored.encryption_enabled,
        max_peers_per_torrent: isOtherBound ? Math.max(0, max_connec_per_torrent) : stored.max_peers_per_torrent,
      });
    },
});
