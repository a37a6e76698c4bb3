// The interface and the proxy as a form: the fields of the proxy beside the others, and back.
import type { NetworkBody, NetworkDto } from '../../../../../shared-protocol/dto/network.js';
import type { ReasonCode } from '../../../../../shared-protocol/reasons.js';
import { ApiError, call } from '../../net/http.js';
import type { Fetched } from '../../state/fetched.js';
import { t, type TextKey } from '../../strings/index.js';
import { choice, flag, number, text } from './codecs.js';
import { createForm, type Form, type Pins } from './create-form.js';

export const NETWORK_PATH = '/api/settings/network';
export const PROXY_KINDS = ['none', 'socks5', 'http'] as const;
const MAX_PORT = 65_535;

export type NetworkValues = Omit<NetworkBody, 'proxy'> &
  Omit<NetworkBody['proxy'], 'password'> & { readonly password: string };

const PROXY_FIELDS = ['kind', 'host', 'port', 'username', 'password', 'peers', 'trackers', 'guarded'] as const;

const REASONS = {
  INTERFACE_INVALID: 'options.network.badBind',
  PORTS_INVALID: 'options.network.badPorts',
  HOST_INVALID: 'options.network.badHost',
} as const satisfies { readonly [Code in ReasonCode]?: TextKey };

export function createNetworkForm(remote: Fetched<NetworkDto>): Form<NetworkValues> {
  return createForm<NetworkValues>({
    codecs: {
      bind: text,
      listen_ports: text,
      anonymous: flag,
      kind: choice(PROXY_KINDS),
      host: text,
      port: number({ max: MAX_PORT }),
      ...{ username: text, password: text },
      ...{ peers: flag, trackers: flag, guarded: flag },
    },
    source: () => {
      const now = remote.value();
      if (!now) return null;
      const { bind, listen_ports, anonymous, proxy } = now;
      return { bind, listen_ports, anonymous, ...proxy, password: '' };
    },
    pins: () => pinsOf(remote.value()?.pinned ?? []),
    check: ({ kind, host, port }) => ({
      ...(kind !== 'none' && host.trim() === '' && { host: t('settings.form.required') }),
      ...(kind !== 'none' && port === 0 && { port: t('settings.form.atLeast', { min: '1' }) }),
    }),
    async save({ bind, listen_ports, anonymous, password, ...proxy }) {
      const body = { bind, listen_ports, anonymous, proxy: { ...proxy, ...(password !== '' && { password }) } };
      await call('PUT', NETWORK_PATH, body).catch((error: unknown) => {
        throw error instanceof ApiError ? ofForm(error) : error;
      });
      await remote.reload();
    },
  });
}

function pinsOf(pinned: NetworkDto['pinned']): Pins<NetworkValues> {
  return {
    ...(pinned.includes('bind') && { bind: '--bind' }),
    ...(pinned.includes('listen_ports') && { listen_ports: '--peer-port' }),
    ...(pinned.includes('anonymous') && { anonymous: '--anonymous' }),
    ...(pinned.includes('proxy') && Object.fromEntries(PROXY_FIELDS.map((name) => [name, '--proxy']))),
  };
}

/** The field of the proxy is one of the form, and what is wrong with it is said in the language of the page. */
function ofForm({ status, said, reason, retryAfterS }: ApiError): ApiError {
  const own = said.replace(/^proxy\./, '');
  const known = REASONS[reason.code as keyof typeof REASONS];
  if (!known) return new ApiError(status, own, reason, retryAfterS);
  return new ApiError(status, `${own.replace(/: .*$/s, '')}: ${t(known)}`, {}, retryAfterS);
}
