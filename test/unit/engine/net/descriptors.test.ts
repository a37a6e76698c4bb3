import t from 'tap';
import { openFileLimit, peersThatFit } from '../../../../engine/net/descriptors.js';
import { apiConnections, descriptorLimitFrom } from '../../../../shared-protocol/descriptors.js';

const limits = (soft: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units\n` +
  `Max processes             127446               127446               processes\n` +
  `Max open files            ${soft.padEnd(20)} 524288               files\n`;

void t.test('the soft limit', async (t) => {
  t.equal(descriptorLimitFrom(limits('1024')), 1024);
  t.equal(descriptorLimitFrom(limits('unlimited')), Infinity);
  t.equal(descriptorLimitFrom(''), null);
});

void t.test('the API has its share', async (t) => {
  t.same([64, 1_024, 8_192, 1_048_576, Infinity, null].map(apiConnections), [64, 128, 1_024, 4_096, 4_096, 256]);
});

void t.test('files may have a tenth of the descriptors, at most 500', async (t) => {
  t.equal(openFileLimit(1024), 102);
  t.equal(openFileLimit(256), 25);
  t.equal(openFileLimit(1_048_576), 500);
  t.equal(openFileLimit(Infinity), 500);
  t.equal(openFileLimit(5), 1);
  t.equal(openFileLimit(null), 100);
});

void t.test('peers leave room for files and for everything else', async (t) => {
  t.equal(peersThatFit(256, 25), 103);
  t.equal(peersThatFit(1_048_576, 500), 1_043_916);
  t.equal(peersThatFit(Infinity, 500), Infinity);
  t.equal(peersThatFit(64, 6), 16);
  t.equal(peersThatFit(null, 100), Infinity);
});
