import t from 'tap';
import { isNodeIdFor, nodeIdFor } from '../../../../engine/dht/node-id.js';
import { SeededRandom } from '../../../support/seeded-random.js';

/** The table of BEP 42. */
const VECTORS = [
  { ip: '124.31.75.21', id: '5fbfbff10c5d6a4ec8a88e4c6ab4c28b95eee401' },
  { ip: '21.75.31.124', id: '5a3ce9c14e7a08645677bbd1cfe7d8f956d53256' },
  { ip: '65.23.51.170', id: 'a5d43220bc8f112a3d426c84764f8c2a1150e616' },
  { ip: '84.124.73.14', id: '1b0321dd1bb1fe518101ceef99462b947a01ff41' },
  { ip: '43.213.53.83', id: 'e56f6cbf5b7c4be0237986d5243b87aa6d51305a' },
];

void t.test('ids of BEP 42 go with their addresses and no others', (t) => {
  for (const { ip, id } of VECTORS) {
    t.ok(isNodeIdFor(ip, Buffer.from(id, 'hex')), ip);
    for (const other of VECTORS) if (other.ip !== ip) t.notOk(isNodeIdFor(other.ip, Buffer.from(id, 'hex')));
    for (const byte of [0, 1, 2, 19]) {
      const changed = Buffer.from(id, 'hex');
      changed[byte]! ^= 0x20;
      t.equal(
        isNodeIdFor(ip, changed),
        byte === 19 && ((changed[19]! ^ 0x20) & 7) === (changed[19]! & 7),
        `byte ${byte}`,
      );
    }
  }
  t.notOk(isNodeIdFor('::1', new Uint8Array(20)));
  t.notOk(isNodeIdFor('1.2.3.4', new Uint8Array(19)));
  t.end();
});

void t.test('ids we make follow our address, and differ otherwise', (t) => {
  const random = new SeededRandom(7);
  const made = Array.from({ length: 50 }, () => nodeIdFor('84.124.73.14', random));
  t.ok(made.every((id) => isNodeIdFor('84.124.73.14', id)));
  t.equal(new Set(made.map((id) => Buffer.from(id).toString('hex'))).size, 50);
  t.end();
});
