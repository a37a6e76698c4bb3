// Points, parole and verdicts of a torrent's peers: docs/limits.md 2.13. Peers are letters, their keys the letters'
// codes.
import t from 'tap';
import { DIGEST_BYTES } from '../../../../../engine/hashing/constants.js';
import { TrustPoints, type Outcome } from '../../../../../engine/torrent/bans/trust-points.js';

const keyOf = (name: string): number => name.charCodeAt(0);
const senders = (names: string): Int32Array => Int32Array.from([...names].map(keyOf));

function digests(blocks: string): Uint8Array {
  return Uint8Array.from([...blocks].flatMap((block) => Array<number>(DIGEST_BYTES).fill(block.charCodeAt(0))));
}

/** `A sole-source`, in order. */
const verdictsOf = ({ verdicts }: Outcome<string>): string[] =>
  verdicts.map(({ suspect, ground }) => `${suspect.who} ${ground}`);
const changesOf = ({ changed }: Outcome<string>): string[] =>
  changed.map(({ who, onParole }) => `${who} ${onParole ? 'on' : 'off'}`);

function trustIn(names: string): TrustPoints<string> {
  const trust = new TrustPoints<string>();
  for (const name of names) trust.join(keyOf(name), name, `id ${name}`, false);
  return trust;
}

void t.test('the sole source of a failed piece is banned at once', async (t) => {
  const trust = trustIn('AB');
  t.same(verdictsOf(trust.onPieceFailed(1, senders('AAAA'), digests('abcd'))), ['A sole-source']);
  t.notOk(trust.isAwaiting(1), 'there is nothing to find out');
  t.same(verdictsOf(trust.onPieceFailed(2, senders('AAAA'), null)), [], 'once is enough');
  t.same(verdictsOf(trust.onPieceFailed(3, Int32Array.from([keyOf('B'), 999]), digests('ab'))), [], 'not the only one');
});

void t.test('several are on parole until it is clear who it was', async (t) => {
  const trust = trustIn('ABC');
  const failed = trust.onPieceFailed(1, senders('AAB'), digests('abX'));
  t.same(verdictsOf(failed), []);
  t.same(changesOf(failed), ['A on', 'B on']);
  t.ok(trust.isAwaiting(1));
  t.same(changesOf(trust.onPiecePassed(2, [keyOf('A')], null)), [], 'a good piece is not enough while that is open');
  const passed = trust.onPiecePassed(1, [keyOf('C')], digests('abc'));
  t.same(verdictsOf(passed), ['B wrong-block']);
  t.notOk(trust.isAwaiting(1));
  t.same(changesOf(trust.onPiecePassed(3, [keyOf('A'), keyOf('C')], null)), [], 'nor is a shared one');
  t.same(changesOf(trust.onPiecePassed(4, [keyOf('A')], null)), ['A off']);
});

void t.test('who fetches the piece alone and passes may convict itself', async (t) => {
  const trust = trustIn('AB');
  trust.onPieceFailed(1, senders('AB'), digests('aX'));
  t.same(verdictsOf(trust.onPiecePassed(1, [keyOf('B')], digests('ab'))), ['B wrong-block']);
});

void t.test('two versions of one block', async (t) => {
  const trust = trustIn('ABC');
  trust.onPieceFailed(1, senders('AB'), digests('aX'));
  t.same(verdictsOf(trust.onPieceFailed(1, senders('CB'), digests('aY'))), ['B two-versions']);
});

void t.test('an honest peer bears any number of failures that are cleared up', async (t) => {
  const trust = trustIn('ABC');
  for (let piece = 0; piece < 10; piece++)
    t.same(verdictsOf(trust.onPieceFailed(piece, senders('AB'), digests('aX'))), [], `failure ${piece}`);
  t.same(verdictsOf(trust.onPiecePassed(0, [keyOf('A')], digests('ab'))), ['B wrong-block']);
  for (let piece = 1; piece < 10; piece++) t.same(verdictsOf(trust.onPiecePassed(piece, [], digests('ab'))), []);
  for (let piece = 10; piece < 16; piece++)
    t.notOk(
      verdictsOf(trust.onPieceFailed(piece, senders('AC'), null)).includes('A distrust'),
      'it has its points back',
    );
});

void t.test('failures that nobody can clear up add up', async (t) => {
  const trust = trustIn('ABCDEFG');
  t.same(verdictsOf(trust.onPieceFailed(1, senders('AB'), null)), []);
  t.same(verdictsOf(trust.onPieceFailed(2, senders('AC'), null)), []);
  t.same(verdictsOf(trust.onPieceFailed(3, senders('AD'), null)), []);
  t.same(verdictsOf(trust.onPieceFailed(4, senders('AE'), null)), ['A distrust'], 'at -7');

  for (let piece = 10; piece < 30; piece++) trust.onPiecePassed(piece, [keyOf('F')], null);
  for (let piece = 1; piece < 8; piece++)
    t.same(
      verdictsOf(trust.onPieceFailed(piece, senders('FG'), null)).includes('F distrust'),
      false,
      `from 8: ${piece}`,
    );
  t.same(verdictsOf(trust.onPieceFailed(8, senders('FG'), null)), ['F distrust']);
});

void t.test('of a piece that passes without digests the failure stands', async (t) => {
  const trust = trustIn('AB');
  for (let piece = 1; piece < 5; piece++) trust.onPieceFailed(piece, senders('AB'), digests('aX'));
  const outcomes = [1, 2, 3, 4].map((piece) => verdictsOf(trust.onPiecePassed(piece, [], null)));
  t.same(outcomes, [[], [], [], ['A distrust', 'B distrust']], 'once none is open any more');
});

void t.test('who comes back is who it was', async (t) => {
  const trust = trustIn('ABC');
  trust.leave(keyOf('B'), true);
  const failed = trust.onPieceFailed(1, senders('AB'), digests('aX'));
  t.same(changesOf(failed), ['A on', 'B on'], 'gone does not mean out of it');
  t.equal(trust.join(700, 'B again', 'id B', false), true, 'still on parole');
  const { verdicts } = trust.onPiecePassed(1, [keyOf('C')], digests('ab'));
  t.equal(verdicts[0]?.suspect.key, 700, 'the connection that it has now');
  trust.leave(keyOf('C'), false);
  t.equal(trust.join(701, 'C again', 'id C', false), false);
  t.equal(trust.join(702, 'newcomer', 'id N', true), true, 'from where offenders came');
});

void t.test('two good pieces prove a peer, once', async (t) => {
  const trust = trustIn('AB');
  const provenIn = (piece: number): string[] =>
    trust.onPiecePassed(piece, [keyOf('A')], null).proven.map(({ who }) => who);
  t.same([1, 2, 3].map(provenIn), [[], ['A'], []]);
});
