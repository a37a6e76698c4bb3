// safety.md 2.17: which addresses of a peer exchange message are taken.
import t from 'tap';
import { pexCandidates } from '../../../../engine/pex/candidates.js';

const flags = {
  prefersEncryption: false,
  isSeed: false,
  supportsUtp: false,
  supportsHolepunch: false,
  isReachable: false,
};

void t.test('local addresses only from local peers, impossible ones from nobody', async (t) => {
  const rubbish = ['0.0.0.0', '224.0.0.1', '255.255.255.255', '::', 'ff02::1'];
  const local = ['10.0.0.1', '172.16.0.1', '192.168.1.1', '127.0.0.1', '169.254.1.1', '::1', 'fe80::1', 'fd00::1'];
  const global = ['93.184.216.34', '100.64.0.1', '2a00:1450::1'];
  const added = [...rubbish, ...local, ...global].map((host) => ({ address: { host, port: 6881 }, flags }));
  for (const { sender, expected } of [
    { sender: '93.184.216.35', expected: global },
    { sender: '2a00:1450::2', expected: global },
    { sender: '192.168.1.7', expected: [...local, ...global] },
    { sender: '::ffff:192.168.1.7', expected: [...local, ...global] },
    { sender: '127.0.0.2', expected: [...local, ...global] },
    { sender: 'fe80::2', expected: [...local, ...global] },
  ]) {
    const hosts = pexCandidates(added, { host: sender, port: 1 }).map(({ host }) => host);
    t.same(hosts, expected, sender);
  }
  t.same(pexCandidates([{ address: { host: '1.2.3.4', port: 0 }, flags }], { host: '1.1.1.1', port: 1 }), []);
});
