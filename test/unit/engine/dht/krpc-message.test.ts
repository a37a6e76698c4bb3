import t from 'tap';
import { DATAGRAM_BENCODE_LIMITS } from '../../../../engine/dht/constants.js';
import { fitReply } from '../../../../engine/dht/fit-reply.js';
import { encodeKrpc, parseKrpc, type KrpcMessage, type KrpcReply } from '../../../../engine/dht/krpc-message.js';

const ID = 'abcdefghij0123456789';
const TARGET = 'mnopqrstuvwxyz123456';
const SEEN_AS = Buffer.from([8, 8, 8, 8, 0x1a, 0xe1]);

function parse(text: string) {
  return parseKrpc(Buffer.from(text, 'latin1'), DATAGRAM_BENCODE_LIMITS);
}

/** For texts that are messages of that kind. */
function read<Kind extends KrpcMessage['kind']>(kind: Kind, text: string) {
  const message = parse(text);
  if (message.kind !== kind) throw new Error(`${message.kind}, not ${kind}`);
  return message as Extract<KrpcMessage, { kind: Kind }>;
}

/** The packets printed in BEP 5. */
const PRINTED = [
  { name: 'ping', kind: 'query', text: `d1:ad2:id20:${ID}e1:q4:ping1:t2:aa1:y1:qe` },
  { name: 'find_node', kind: 'query', text: `d1:ad2:id20:${ID}6:target20:${TARGET}e1:q9:find_node1:t2:aa1:y1:qe` },
  { name: 'get_peers', kind: 'query', text: `d1:ad2:id20:${ID}9:info_hash20:${TARGET}e1:q9:get_peers1:t2:aa1:y1:qe` },
  {
    name: 'announce_peer',
    kind: 'query',
    text: `d1:ad2:id20:${ID}12:implied_porti1e9:info_hash20:${TARGET}4:porti6881e5:token8:aoeusnthe1:q13:announce_peer1:t2:aa1:y1:qe`,
  },
  { name: 'pong', kind: 'reply', text: `d1:rd2:id20:${TARGET}e1:t2:aa1:y1:re` },
  {
    name: 'peers',
    kind: 'reply',
    text: `d1:rd2:id20:${ID}5:token8:aoeusnth6:valuesl6:axje.u6:idhtnmee1:t2:aa1:y1:re`,
  },
  { name: 'error', kind: 'error', text: 'd1:eli201e23:A Generic Error Ocurrede1:t2:aa1:y1:ee' },
] as const;

void t.test('the packets of BEP 5 are read, and written as they were', (t) => {
  for (const { name, kind, text } of PRINTED) {
    t.equal(encodeKrpc(read(kind, text)).toString('latin1'), text, name);
  }
  t.end();
});

void t.test('what is not as BEP 5 has it is refused', (t) => {
  const refused = [
    { name: 'empty', text: '' },
    { name: 'a list', text: 'le' },
    { name: 'no transaction', text: `d1:ad2:id20:${ID}e1:q4:ping1:y1:qe` },
    { name: 'an empty transaction', text: `d1:ad2:id20:${ID}e1:q4:ping1:t0:1:y1:qe` },
    { name: 'a transaction that is a number', text: `d1:ad2:id20:${ID}e1:q4:ping1:ti1e1:y1:qe` },
    { name: 'a long transaction', text: `d1:ad2:id20:${ID}e1:q4:ping1:t33:${'t'.repeat(33)}1:y1:qe` },
    { name: 'no type', text: `d1:ad2:id20:${ID}e1:q4:ping1:t2:aae` },
    { name: 'an unknown type', text: `d1:ad2:id20:${ID}e1:q4:ping1:t2:aa1:y1:xe` },
    { name: 'no arguments', text: 'd1:q4:ping1:t2:aa1:y1:qe' },
    { name: 'arguments in a list', text: `d1:al2:id20:${ID}e1:q4:ping1:t2:aa1:y1:qe` },
    { name: 'no id', text: 'd1:ade1:q4:ping1:t2:aa1:y1:qe' },
    { name: 'an id of 19 bytes', text: `d1:ad2:id19:${ID.slice(1)}e1:q4:ping1:t2:aa1:y1:qe` },
    { name: 'an id that is a list', text: 'd1:ad2:idlee1:q4:ping1:t2:aa1:y1:qe' },
    { name: 'a method that is a number', text: `d1:ad2:id20:${ID}e1:qi1e1:t2:aa1:y1:qe` },
    { name: 'no target', text: `d1:ad2:id20:${ID}e1:q9:find_node1:t2:aa1:y1:qe` },
    { name: 'a target that is a number', text: `d1:ad2:id20:${ID}6:targeti1ee1:q9:find_node1:t2:aa1:y1:qe` },
    {
      name: 'an info hash of 32 bytes',
      text: `d1:ad2:id20:${ID}9:info_hash32:${'h'.repeat(32)}e1:q9:get_peers1:t2:aa1:y1:qe`,
    },
    { name: 'an info hash that is a dictionary', text: `d1:ad2:id20:${ID}9:info_hashdee1:q9:get_peers1:t2:aa1:y1:qe` },
    {
      name: 'an announce without token',
      text: `d1:ad2:id20:${ID}9:info_hash20:${TARGET}4:porti1ee1:q13:announce_peer1:t2:aa1:y1:qe`,
    },
    {
      name: 'an announce of port 0',
      text: `d1:ad2:id20:${ID}9:info_hash20:${TARGET}4:porti0e5:token1:xe1:q13:announce_peer1:t2:aa1:y1:qe`,
    },
    {
      name: 'an announce of port 65536',
      text: `d1:ad2:id20:${ID}9:info_hash20:${TARGET}4:porti65536e5:token1:xe1:q13:announce_peer1:t2:aa1:y1:qe`,
    },
    {
      name: 'a token that is a list',
      text: `d1:ad2:id20:${ID}9:info_hash20:${TARGET}4:porti1e5:tokenlee1:q13:announce_peer1:t2:aa1:y1:qe`,
    },
    { name: 'a reply without id', text: 'd1:rde1:t2:aa1:y1:re' },
    { name: 'a reply that is a string', text: 'd1:r1:x1:t2:aa1:y1:re' },
    { name: 'a depth of 11', text: `d1:ad2:id20:${ID}1:x${'l'.repeat(9)}${'e'.repeat(9)}e1:q4:ping1:t2:aa1:y1:qe` },
    { name: '501 tokens', text: `d1:ad2:id20:${ID}1:xl${'0:'.repeat(490)}ee1:q4:ping1:t2:aa1:y1:qe` },
    { name: 'a length beyond the end', text: `d1:ad2:id20:${ID}1:x99999999:ee1:q4:ping1:t2:aa1:y1:qe` },
  ];
  for (const { name, text } of refused) t.equal(parse(text).kind, 'malformed', name);
  t.equal(parse(`d1:ad2:id20:${ID}6:target20:${TARGET}e1:q3:get1:t2:aa1:y1:qe`).kind, 'unknownQuery');
  t.end();
});

void t.test('only known fields are written again', (t) => {
  const odd = read('query', `d1:ad9:__proto__d1:xi1ee2:id20:${ID}1:xi1ee1:q4:ping2:roi1e1:t2:aa1:v4:LT011:y1:qe`);
  t.equal(odd.readOnly, true, 'BEP 43');
  t.equal(encodeKrpc(odd).toString('latin1'), PRINTED[0]!.text);
  t.equal(encodeKrpc(odd, { senderId: null }).toString('latin1'), 'd1:ade1:q4:ping1:t2:aa1:y1:qe');
  t.end();
});

void t.test('of an error, the code and printable text', (t) => {
  const error = read('error', 'd1:eli203e5:a\xff\x00\nbe1:t2:aa1:y1:ee');
  t.same([error.code, error.message], [203, 'a???b']);
  t.equal(read('error', 'd1:e1:x1:t2:aa1:y1:ee').code, 0);
  t.end();
});

void t.test('of a reply, whole nodes and IPv4 peers count', (t) => {
  const nodes = 'n'.repeat(26 * 2 + 5);
  const reply = read(
    'reply',
    `d1:rd2:id20:${ID}5:nodes57:${nodes}5:token65:${'t'.repeat(65)}6:valuesl6:axje.u18:${'6'.repeat(18)}i1eleee1:t2:aa1:y1:re`,
  );
  t.equal(reply.nodes.length, 52);
  t.equal(reply.values.length, 1);
  t.equal(reply.token, null, 'nobody needs a token this long');
  t.end();
});

void t.test('replies are cut down to the caps and to the bytes allowed', (t) => {
  const reply: KrpcReply = {
    kind: 'reply',
    transaction: Buffer.from('aa'),
    id: Buffer.from(ID),
    nodes: Buffer.alloc(26 * 300, 'n'),
    values: Array.from({ length: 500 }, () => Buffer.from('axje.u')),
    token: Buffer.alloc(20, 't'),
  };
  const sizes = [50, 100, 150, 200, 400, 700, 1_000, 1_400];
  for (const maxBytes of sizes) {
    const bytes = fitReply(reply, SEEN_AS, maxBytes);
    if (!bytes) {
      t.ok(maxBytes <= 100, `${maxBytes}: nothing fits`);
      continue;
    }
    const { values, nodes } = read('reply', bytes.toString('latin1'));
    t.ok(bytes.length <= maxBytes, `${bytes.length} of ${maxBytes}`);
    t.ok(values.length <= 100 && nodes.length <= 26 * 8);
    t.ok(bytes.length > maxBytes - 40 || (values.length === 100 && nodes.length === 208), 'no less than fits');
  }
  t.end();
});
