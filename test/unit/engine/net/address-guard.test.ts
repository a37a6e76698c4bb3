import t from 'tap';
import { isLocalAddress, judgeAddress, loopbackAllowed } from '../../../../engine/net/address-guard.js';

void t.test('addresses that reach this machine, in all their forms, need a harmless path', async (t) => {
  const forms = [
    '127.0.0.1',
    '127.255.0.9',
    '0.0.0.0',
    '::1',
    '[::1]',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ];
  for (const address of forms) {
    t.equal(judgeAddress(address, false).kind, 'refused', address);
    t.equal(judgeAddress(address, true).kind, 'allowed', `${address}, harmless path`);
  }
});

void t.test('some addresses are never trackers', async (t) => {
  const never = [
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    'fd00:ec2::254',
    '224.0.0.1',
    '255.255.255.255',
    'ff02::1',
    'localhost',
    '',
  ];
  for (const address of never) t.equal(judgeAddress(address, true).kind, 'refused', address);
});

void t.test('public and private addresses may be trackers', async (t) => {
  const fine = [
    '198.51.100.7',
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '100.64.0.1',
    '2001:db8::1',
    'fe80::1%eth0',
    'fd12::1',
  ];
  for (const address of fine) t.equal(judgeAddress(address, false).kind, 'allowed', address);
});

void t.test('harmless paths', async (t) => {
  t.ok(loopbackAllowed('/announce', 'announce'));
  t.ok(loopbackAllowed('/announce.php', 'announce'));
  t.ok(loopbackAllowed('/scrape', 'scrape'));
  for (const path of ['/', '/admin', '/x/announce', '//announce', '/scrape', '/Announce']) {
    t.notOk(loopbackAllowed(path, 'announce'), path);
  }
});

void t.test('what is local', async (t) => {
  const local = ['127.0.0.1', '::1', '10.1.2.3', '192.168.0.1', '172.31.0.1', '169.254.1.1', '100.64.0.1', '0.0.0.0'];
  const inside = ['::ffff:10.0.0.1', '64:ff9b::c0a8:1', '2002:a00:1::', '::10.0.0.1'];
  for (const address of [...local, ...inside, 'fe80::1%eth0', '[fd12::1]', 'fec0::1', '100::1', 'localhost', '']) {
    t.ok(isLocalAddress(address), address);
  }
  for (const address of ['8.8.8.8', '::ffff:8.8.8.8', '64:ff9b::808:808', '2606:4700::1111', '[2606:4700::1111]']) {
    t.notOk(isLocalAddress(address), address);
  }
});
