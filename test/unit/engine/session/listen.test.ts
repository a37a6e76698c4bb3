// The peer port on several addresses: the first one decides, the others are had where they can be.
import t from 'tap';
import { AppError } from '../../../../shared-protocol/errors.js';
import type { PeerNetwork } from '../../../../engine/environment.js';
import { listenForPeers } from '../../../../engine/session/listen.js';
import { QUIET } from '../../../support/disk-fixtures.js';

/** A machine that has these addresses, and gives 50000 when any port will do. */
function machineWith(...hosts: readonly string[]): { network: PeerNetwork; asked: string[] } {
  const asked: string[] = [];
  const network: PeerNetwork = {
    listen: async (host, port) => {
      asked.push(`${host} ${port}`);
      if (!hosts.includes(host)) throw new AppError('LISTEN_FAILED', `peer port ${host}:${port}: EADDRNOTAVAIL`);
      return { port: port === 0 ? 50_000 : port, close: async () => undefined };
    },
    connect: () => {
      throw new Error('nobody connects here');
    },
  };
  return { network, asked };
}

const nobody = (): void => undefined;

void t.test('all addresses have the port that the first one got', async (t) => {
  const { network, asked } = machineWith('0.0.0.0', '::');
  const listeners = await listenForPeers(
    { network, log: QUIET },
    { peerHosts: ['0.0.0.0', '::'], peerPort: 0 },
    nobody,
  );
  t.same(asked, ['0.0.0.0 0', ':: 50000']);
  t.same(
    listeners.map(({ port }) => port),
    [50_000, 50_000],
  );
});

void t.test('a machine without IPv6 does without', async (t) => {
  const { network } = machineWith('0.0.0.0');
  const options = { peerHosts: ['0.0.0.0', '::'], peerPort: 6881 };
  const listeners = await listenForPeers({ network, log: QUIET }, options, nobody);
  t.same(
    listeners.map(({ port }) => port),
    [6881],
  );
});

void t.test('without the first address nothing works, and without any', async (t) => {
  const { network, asked } = machineWith('::');
  const options = { peerHosts: ['0.0.0.0', '::'], peerPort: 6881 };
  await t.rejects(listenForPeers({ network, log: QUIET }, options, nobody), { code: 'LISTEN_FAILED' });
  t.same(asked, ['0.0.0.0 6881']);
  await t.rejects(listenForPeers({ network, log: QUIET }, { peerHosts: [], peerPort: 1 }, nobody), { code: 'BUG' });
});
