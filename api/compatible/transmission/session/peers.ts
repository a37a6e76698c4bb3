// How peers are met. The number of the port is told to those who may change settings, 0 to others. Peers per torrent hold at once, the rest from the next start on; a flag of the command line stays in
// force, and is shown, whatever is stored. PEX and LSD are not switched.
import { z } from 'zod';
import type { EncryptionPolicy } from '../../../../shared-protocol/encryption-policy.js';
import { countSchema } from '../../../../shared-protocol/dto/fields.js';
import { hasPermission } from '../../../auth/account.js';
import type { AccountContext } from '../../../routes/route.js';
import { preferenceGroup } from '../../preference-group.js';
import { flagSchema } from './fields.js';

const ENCRYPTION_NAMES = {
  preferred: 'preferred',
  required: 'required',
  allowed: 'tolerated',
  off: 'tolerated',
} as const satisfies Record<EncryptionPolicy, string>;

export const peerSettings = preferenceGroup({
  shown: async (context) => {
    const { port, encryption, isDhtOn, isLsdOn, isPortMappingOn, maxPeers, maxPeersPerTorrent } =
      context.services.engineSettings.peers;
    return {
      peer_port: await portShown(context, port),
      peer_port_random_on_start: port === 0,
      peer_limit_global: maxPeers,
      peer_limit_per_torrent: maxPeersPerTorrent,
      dht_enabled: isDhtOn,
      lpd_enabled: isLsdOn,
      pex_enabled: true,
      port_forwarding_enabled: isPortMappingOn,
      encryption: ENCRYPTION_NAMES[encryption] as string,
    };
  },
  wishes: z.object({
    peer_port: z.int().min(1).max(65_535).optional(),
    peer_port_random_on_start: flagSchema.optional(),
    /** 0 is the default. */
    peer_limit_per_torrent: countSchema.optional(),
    dht_enabled: flagSchema.optional(),
    port_forwarding_enabled: flagSchema.optional(),
    encryption: z.enum(['required', 'preferred', 'tolerated']).optional(),
  }),
  prepare: (wish, shown, { services }) => {
    const { peer_limit_per_torrent: perTorrent, dht_enabled, port_forwarding_enabled, encryption } = wish;
    const isOtherLimit = perTorrent !== undefined && perTorrent !== shown.peer_limit_per_torrent;
    // That others than encrypted peers are refused is for the command line to say.
    const isOtherEncryption = encryption !== undefined && encryption !== shown.encryption && encryption !== 'required';
    const isOtherPort = wish.peer_port !== undefined && wish.peer_port !== shown.peer_port;
    const isRandom = wish.peer_port_random_on_start ?? (shown.peer_port_random_on_start && !isOtherPort);
    const port = isRandom ? 0 : (wish.peer_port ?? shown.peer_port);
    const isSamePort = isRandom === shown.peer_port_random_on_start && (isRandom || !isOtherPort);
    return () => {
      const stored = services.engineSettings.peerLimits;
      return services.engineSettings.setPeerLimits({
        listen_port: isSamePort ? stored.listen_port : port,
        dht_enabled: dht_enabled ?? stored.dht_enabled,
        upnp_enabled: port_forwarding_enabled ?? stored.upnp_enabled,
        encryption_enabled: isOtherEncryption ? encryption === 'preferred' : stored.encryption_enabled,
        max_peers_per_torrent: isOtherLimit ? perTorrent : stored.max_peers_per_torrent,
      });
    };
  },
});

async function portShown(context: AccountContext, port: number): Promise<number> {
  if (!hasPermission(context.principal.account, 'perm_change_settings')) return 0;
  return port === 0 ? portOf(context) : port;
}

/** The port of the moment; 0: there is no listener. @throws AppError `ENGINE_TIMEOUT` */
async function portOf({ services }: Pick<AccountContext, 'services'>): Promise<number> {
  return (await services.networkSettings.shown()).state?.peer_port ?? 0;
}
