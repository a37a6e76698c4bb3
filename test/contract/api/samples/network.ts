// Samples of `/api/settings/network`. What becomes of it is test/integration/network.
import type { networkRoutes } from '../../../../api/routes/network.js';
import { OK, type Refusal, type Samples } from '../sample.js';

const NO_PROXY = { kind: 'none', host: '', port: 0, username: '', peers: true, trackers: true, guarded: false };
const STORED = { bind: '', listen_ports: '', anonymous: false, proxy: NO_PROXY };
const PROXY = { ...NO_PROXY, kind: 'socks5', host: 'proxy.example', port: 1080, username: 'anna', password: 'secret' };

const bad = (name: string, change: object, error: string | RegExp): Refusal => ({
  name,
  call: { body: { ...STORED, ...change } },
  status: 400,
  error,
});
const badProxy = (name: string, change: object, error: string | RegExp): Refusal =>
  bad(name, { proxy: { ...PROXY, ...change } }, error);

export const networkSamples: Samples<typeof networkRoutes> = {
  'GET /api/settings/network': {
    who: 'perm_change_settings',
    call: () => ({}),
    answer: { ...STORED, proxy: { ...NO_PROXY, has_password: false }, pinned: Array, state: { binding: 'open' } },
  },
  'PUT /api/settings/network': {
    who: 'admin',
    call: () => ({ body: STORED }),
    answer: OK,
    refusals: [
      bad('a path for an interface', { bind: '../eth0' }, /^bind: expected the name of an interface or an address/),
      bad('a long name', { bind: 'x'.repeat(16) }, /^bind: /),
      bad('ports that are none', { listen_ports: '6881-' }, /^listen_ports: expected ports/),
      bad('a range that goes down', { listen_ports: '7000-6000' }, /^listen_ports: expected ports/),
      bad('more ports than are tried', { listen_ports: '1024-65535' }, /^listen_ports: expected ports/),
      badProxy('no host', { host: '' }, /^proxy\.host: expected an address or host name/),
      badProxy('no port', { port: 0 }, /^proxy\.port: must not be 0/),
      badProxy('another kind', { kind: 'socks4' }, /^proxy\.kind: /),
      badProxy('a name that ends the line', { username: 'a\r\nb' }, /^proxy\.username: /),
      badProxy('a password of 256 bytes', { password: 'x'.repeat(256) }, /^proxy\.password: at most 255 bytes/),
    ],
  },
};
