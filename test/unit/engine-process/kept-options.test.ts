// What a front said last is there after a start, also the blocklist; what is damaged is said and waited for.
import t from 'tap';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KeptOptions } from '../../../engine-process/kept-options.js';
import { TEST_ENGINE_OPTIONS } from '../../support/engine-options.js';

void t.test('options that are kept', async (t) => {
  const folder = t.testdir({});
  const path = join(folder, 'engine-options');
  const blocklist = join(folder, 'engine-blocklist');
  const file = (name: string) => join(folder, name);
  const faults: string[] = [];
  const kept = new KeptOptions(file, (reason) => faults.push(reason));
  t.equal(await kept.read(), null);
  const ipv4 = new SharedArrayBuffer(8);
  new Uint8Array(ipv4).fill(7);
  const options = { ...TEST_ENGINE_OPTIONS, blocklist: [{ ipv4, ipv6: new SharedArrayBuffer(0) }] };
  for (let maxPeers = 1; maxPeers <= 20; maxPeers++) kept.keep({ ...options, maxPeers });
  await kept.settled();
  const read = await kept.read();
  t.equal(read?.maxPeers, 20, 'the last');
  t.same([...new Uint8Array(read!.blocklist[0]!.ipv4)], Array<number>(8).fill(7));
  t.equal((await stat(path)).mode & 0o777, 0o600, 'passwords of proxies are in it');
  const { ino } = await stat(blocklist);
  kept.keep({ ...read!, maxPeers: 21 });
  await kept.settled();
  t.equal((await stat(blocklist)).ino, ino, 'a list that is the same is not written again');
  kept.keep({ ...options, blocklist: [] });
  await kept.settled();
  const later = new KeptOptions(file, (reason) => faults.push(reason));
  t.same((await later.read())?.blocklist, []);
  for (const damaged of [path, blocklist]) {
    later.keep({ ...options, blocklist: [] });
    await later.settled();
    await writeFile(damaged, 'rubbish');
    t.equal(await later.read(), null);
  }
  t.same(faults, ['not readable', 'not readable']);
  await rm(blocklist);
  t.equal(await later.read(), null, 'nor without its list: it would meet whom it is not to');
});

void t.test('a disk that keeps nothing is said', async (t) => {
  const faults: string[] = [];
  const file = (name: string) => `/no/such/folder/${name}`;
  const kept = new KeptOptions(file, (reason) => faults.push(reason));
  kept.keep(TEST_ENGINE_OPTIONS);
  await kept.settled();
  t.match(faults, [/ENOENT/]);
});
