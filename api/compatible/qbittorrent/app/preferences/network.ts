// Preferences that are shown and not changed: by which way others are reached, to those who may change settings, and what
// the page is served by. Passwords of proxies are shown to none.
import { hasPermission } from '../../../../auth/account.js';
import type { AccountContext } from '../../../../routes/route.js';
import type { Preferences } from '../../../preference-group.js';

const PROXY_TYPES = { none: 'None', socks5: 'SOCKS5', http: 'HTTP' } as const;
const NO_WAY = {
  current_network_interface: '',
  current_interface_name: '',
  current_interface_address: '',
  anonymous_mode: false,
  proxy_type: 'None',
  proxy_ip: '',
  proxy_port: 8080,
  proxy_auth_enabled: false,
  proxy_username: '',
  proxy_password: '',
  proxy_hostname_lookup: true,
  proxy_bittorrent: false,
  proxy_peer_connections: false,
  proxy_rss: false,
  proxy_misc: false,
};

/** @throws AppError `ENGINE_TIMEOUT` */
export async function networkPreferences({ services, principal }: AccountContext): Promise<Preferences> {
  if (!hasPermission(principal.account, 'perm_change_settings')) return NO_WAY;
  const { bind, anonymous, proxy, state } = await services.networkSettings.shown();
  const isOn = proxy.kind !== 'none';
  return {
    ...NO_WAY,
    current_network_interface: bind,
    current_interface_name: state?.device ?? '',
    current_interface_address: state?.addresses[0] ?? '',
    anonymous_mode: anonymous,
    proxy_type: PROXY_TYPES[proxy.kind],
    proxy_ip: proxy.host,
    proxy_port: proxy.port,
    proxy_auth_enabled: proxy.username !== '',
    proxy_username: proxy.username,
    proxy_bittorrent: isOn,
    proxy_peer_connections: isOn && proxy.peers,
  };
}

export function pagePreferences({ services, principal, client, request }: AccountContext): Preferences {
  const { path, enabled } = services.watchFolder.stored;
  return {
    web_ui_port: request.socket.localPort ?? 0,
    web_ui_username: principal.account.username,
    use_https: client.isSecure,
    // 1: into the default save path.
    scan_dirs: enabled ? { [path]: 1 } : {},
    ip_filter_enabled: services.blocklist.shown({ withSecrets: false }).enabled,
  };
}
