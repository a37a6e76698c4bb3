// What is wrong with a file of engines is said with the field, and nothing is begun.
import t from 'tap';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnginesFile } from '../../../../api/app/engines-file.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';

async function file(content: unknown): Promise<string> {
  const path = join(await temporaryDirectory(), 'engines.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const of = (...engines: object[]) => file({ engines });
const placing = (placement: unknown) => file({ engines: [ALICE], placement });
const ALICE = { name: 'alice', address: 'unix:/run/a/engine.sock' };

void t.test('each engine with what it is reached by; files are named from where the file lies', async (t) => {
  const path = await of(ALICE, {
    ...{ name: 'big', address: 'wss://disks.example:9490', token_file: 'token', peer_port: 51_413 },
    ...{ ca_file: '/etc/ca.pem', cert_file: 'front.pem', key_file: 'front-key.pem' },
  });
  const there = join(path, '..');
  const { entries, takeOverAfterMs } = await readEnginesFile(path);
  t.equal(takeOverAfterMs, 60_000);
  t.same(entries, [
    {
      name: 'alice',
      at: {
        address: { kind: 'unix', path: '/run/a/engine.sock' },
        ...{ tokenFile: null, authorityFile: null, certificate: null },
      },
      peerPort: null,
    },
    {
      name: 'big',
      at: {
        address: { kind: 'tls', host: 'disks.example', port: 9490 },
        tokenFile: join(there, 'token'),
        authorityFile: '/etc/ca.pem',
        certificate: { certFile: join(there, 'front.pem'), keyFile: join(there, 'front-key.pem') },
      },
      peerPort: 51_413,
    },
  ]);
});

void t.test('rules for torrents that are placed', async (t) => {
  t.same((await readEnginesFile(await of(ALICE))).placement, []);
  const { placement } = await readEnginesFile(
    await placing([
      { tag: '4k', engines: ['alice'] },
      { account: 'bob', category: 'Films', tag: ['a', 'b'], engines: ['alice'] },
    ]),
  );
  t.same(placement, [
    { account: null, category: null, tags: ['4k'], engines: ['alice'] },
    { account: 'bob', category: 'Films', tags: ['a', 'b'], engines: ['alice'] },
  ]);
});

void t.test('what is refused, and how', async (t) => {
  const cases: readonly (readonly [string | Promise<string>, RegExp])[] = [
    [join(await temporaryDirectory(), 'none.json'), /no such file/],
    [file('{'), /no JSON/],
    [file([]), /the file: .*object/],
    [of(), /engines: /],
    [of({ name: 'alice' }), /engines\[0\]\.address: /],
    [of(ALICE, { ...ALICE, name: 'a/b' }), /engines\[1\]\.name: expected letters/],
    [of({ ...ALICE, adress: 1 }), /engines\[0\]: .*adress/],
    [of({ ...ALICE, address: 'tcp://192.0.2.1:80' }), /engines\[0\]\.address: tcp:\/\/ stays on this machine/],
    [of({ ...ALICE, ca_file: 'ca.pem' }), /engines\[0\]: ca_file and cert_file go with wss:\/\//],
    [of({ ...ALICE, address: 'wss://a:1', key_file: 'k' }), /engines\[0\]: cert_file and key_file go together/],
    [of(ALICE, { ...ALICE, address: 'unix:/b' }), /name alice: two engines have it/],
    [of(ALICE, { ...ALICE, name: 'auto', address: 'unix:/b' }), /engines\[1\]\.name: auto is what accounts say/],
    [placing({}), /placement: .*array/],
    [placing([{ tag: 'x' }]), /placement\[0\]\.engines: /],
    [placing([{ engines: [] }]), /placement\[0\]\.engines: expected the name of one engine at least/],
    [
      placing([{ engines: ['alice'] }, { engines: ['alice', 'bob'] }]),
      /placement\[1\]\.engines\[1\]: bob is none of alice/,
    ],
    [placing([{ engines: ['alice', 'alice'] }]), /placement\[0\]\.engines\[1\]: alice is named twice/],
    [placing([{ engines: ['auto'] }]), /placement\[0\]\.engines\[0\]: auto is none of alice/],
    [placing([{ tags: ['x'], engines: ['alice'] }]), /placement\[0\]: .*tags/],
    [placing([{ tag: [], engines: ['alice'] }]), /placement\[0\]\.tag: expected the name of one tag at least/],
    [placing([{ tag: 5, engines: ['alice'] }]), /placement\[0\]\.tag: expected the name of a tag, or a list of some/],
    [placing([{ account: '', engines: ['alice'] }]), /placement\[0\]\.account: /],
    [file({ engines: [ALICE], take_over_after_s: 19 }), /take_over_after_s: .*20/],
    [of(ALICE, { ...ALICE, name: 'bob' }), /address unix:\/run\/a\/engine\.sock: two engines have it/],
  ];
  for (const [given, expected] of cases) {
    const path = await given;
    await t.rejects(readEnginesFile(path), { code: 'ENGINES_FILE_INVALID', message: expected });
    await t.rejects(readEnginesFile(path), { message: new RegExp(`^--engines ${path}: `) }, 'names the file');
  }
});
