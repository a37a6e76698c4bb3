// What thousands of torrents have in common is held once, and nothing that differs is taken for the same.
import t from 'tap';
import { CommonTexts, commonList } from '../../../shared-protocol/common-values.js';

void t.test('a text stays what it is, however many there are', async (t) => {
  const texts = new CommonTexts();
  t.equal(texts.of('/srv/films'), '/srv/films');
  for (let number = 0; number < 25_000; number++) {
    const url = `https://tracker.example/${number}/announce`;
    if (texts.of(url) !== url) t.fail(url);
  }
  t.equal(texts.of(''), '');
});

void t.test('lists of nothing are one list, others stay themselves', async (t) => {
  t.equal(commonList([]), commonList([]));
  const some = ['a'];
  t.equal(commonList(some), some);
});
