// BEP 10: what may reach the wire's own decoder.
import t from 'tap';
import { isAcceptableExtended } from '../../../../engine/wire/extended-guard.js';
import { extended } from '../../../support/frames.js';

const handshake = (text: string): Buffer => extended(0, Buffer.from(text, 'latin1'));
const bomb = (depth: number): string => `d1:m${'l'.repeat(depth)}${'e'.repeat(depth)}e`;

void t.test('extended handshakes', async (t) => {
  const cases: readonly { readonly name: string; readonly text: string; readonly accepted: boolean }[] = [
    {
      name: 'BEP 10 example',
      text: 'd1:md11:LT_metadatai1e6:\xb5T_PEXi2ee1:pi6881e1:v13:\xc2\xb5Torrent 1.2e',
      accepted: true,
    },
    { name: 'empty', text: 'de', accepted: true },
    { name: 'without m', text: 'd4:reqqi250ee', accepted: true },
    { name: 'an extension withdrawn', text: 'd1:md6:ut_pexi0eee', accepted: true },
    { name: 'an id beyond 64 bits', text: 'd1:md1:ai99999999999999999999999eee', accepted: true },
    { name: 'an integer', text: 'i5e', accepted: false },
    { name: 'a list', text: 'le', accepted: false },
    { name: 'a string', text: '5:hello', accepted: false },
    { name: 'nothing', text: '', accepted: false },
    { name: 'cut', text: 'd1:md6:ut_pexi1ee', accepted: false },
    { name: 'm a list', text: 'd1:mlee', accepted: false },
    { name: 'm a string', text: 'd1:m3:abce', accepted: false },
    { name: 'an id that hides toString', text: 'd1:md11:ut_metadatad8:toStringi1eeee', accepted: false },
    { name: 'm as prototype of the handshake', text: 'd9:__proto__d1:md1:ad8:toStringi1eeeee', accepted: false },
    { name: 'a prototype in m', text: 'd1:md9:__proto__d1:ad8:toStringi1eeeee', accepted: false },
    { name: 'a key twice', text: 'd1:pi1e1:pi2ee', accepted: false },
    { name: 'deep nesting', text: bomb(30_000), accepted: false },
    { name: 'above 64 KiB', text: `d1:v65536:${'v'.repeat(65_536)}e`, accepted: false },
    { name: 'a length that is not there', text: 'd1:v99999999:xe', accepted: false },
  ];
  for (const { name, text, accepted } of cases) t.equal(isAcceptableExtended(handshake(text)), accepted, name);
});

void t.test("messages of an extension are that extension's business", async (t) => {
  t.equal(isAcceptableExtended(extended(1, Buffer.from('no bencode at all'))), true);
});
