// Lists that no route takes, refused before their items are looked at.
import t from 'tap';
import { refuseLongLists } from '../../../../api/routes/long-lists.js';

const list = (length: number) => Array.from({ length }, () => ({}));

void t.test('a list that is too long is named, wherever it is', async (t) => {
  t.doesNotThrow(() => refuseLongLists({ ids: list(20_000), other: null }));
  for (const [body, message] of [
    [{ ids: list(20_001) }, 'ids: at most 20000 items'],
    [list(20_001), 'body: at most 20000 items'],
    [{ when: { conditions: [{}, { conditions: list(20_001) }] } }, 'when.conditions.1.conditions: at most 20000 items'],
  ] as const) {
    t.throws(() => refuseLongLists(body), { code: 'BODY_INVALID', message });
  }
});

void t.test('a body of nothing but brackets is no trouble', async (t) => {
  const deep: unknown = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000));
  t.doesNotThrow(() => refuseLongLists(deep));
  for (const plain of [null, 'text', 5, true]) t.doesNotThrow(() => refuseLongLists(plain));
});
