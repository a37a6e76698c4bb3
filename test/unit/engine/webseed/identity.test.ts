import t from 'tap';
import { normalizeAddress, parseAddress, formatAddress } from '../../../../engine/net/address.js';
import { isWebSeedAddress, webSeedAddress, webSeedPeerId } from '../../../../engine/webseed/identity.js';

void t.test('the same seed is the same peer, another is another', async (t) => {
  const id = webSeedPeerId('http://a.example/x/');
  t.equal(id, webSeedPeerId('http://a.example/x/'));
  t.not(id, webSeedPeerId('http://a.example/y/'));
  t.ok(Buffer.from(id, 'hex').toString('latin1').startsWith('-WS0100-'));
});

void t.test('addresses are literals of the discard prefix, one for each seed', async (t) => {
  const address = webSeedAddress('https://a.example/x/');
  t.equal(address.port, 443);
  t.equal(webSeedAddress('http://a.example/').port, 80);
  t.equal(webSeedAddress('http://a.example:8080/').port, 8_080);
  t.same(parseAddress(formatAddress(address)), address, 'in the spelling that addresses have everywhere');
  t.same(normalizeAddress(address), address);
  t.ok(isWebSeedAddress(address.host));
  t.not(address.host, webSeedAddress('https://a.example/y/').host);
  for (const host of ['127.0.0.1', '100::1:0:0:0:1', '::', '2001:db8::1', 'a.example', '']) {
    t.notOk(isWebSeedAddress(host), host);
  }
});
