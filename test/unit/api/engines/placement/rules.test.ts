// Rules by account, category and tags: the first one that holds decides.
import t from 'tap';
import { ruleFor, type Described, type PlacementRule } from '../../../../../api/engines/placement/rules.js';

const rule = (engine: string, change: Partial<PlacementRule> = {}): PlacementRule => ({
  ...{ account: null, category: null, tags: [], engines: [engine] },
  ...change,
});
const torrent = (change: Partial<Described> = {}): Described => ({
  ...{ account: 'alice', category: null, tags: [] },
  ...change,
});
const chosen = (rules: readonly PlacementRule[], change: Partial<Described> = {}) =>
  ruleFor(rules, torrent(change))?.engines[0] ?? null;

void t.test('the first one that holds', async (t) => {
  const rules = [
    rule('a', { tags: ['4k', 'UHD'] }),
    rule('b', { category: 'Films' }),
    rule('c', { account: 'Alice', category: 'Series' }),
    rule('d', { account: 'bob' }),
  ];
  t.equal(chosen(rules), null, 'none holds');
  t.equal(chosen(rules, { tags: ['new', 'uhd'] }), 'a', 'any of the tags, in whichever case');
  t.equal(chosen(rules, { tags: ['uhd'], category: 'Films' }), 'a', 'before the next');
  t.equal(chosen(rules, { category: 'films' }), 'b');
  t.equal(chosen(rules, { category: 'Films/Old' }), 'b', 'a category below');
  t.equal(chosen(rules, { category: 'Films of 1920' }), null, 'another one that begins so');
  t.equal(chosen(rules, { category: 'Series' }), 'c');
  t.equal(chosen(rules, { category: 'Series', account: 'bob' }), 'd', 'all that a rule says has to hold');
});

void t.test('a rule that says nothing holds for all', async (t) => {
  t.equal(chosen([rule('a'), rule('b', { account: 'alice' })]), 'a');
  t.equal(chosen([]), null);
});
