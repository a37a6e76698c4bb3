// Remarks of a report: each code has a sentence, and the sentence all that its data holds.
import t from 'tap';
import { REASON_REMARKS } from '../../../shared-protocol/import-remarks/reasons.js';
import { isRemark, REMARKS, remark, textOf } from '../../../shared-protocol/import-remarks/remark.js';
import { SETTING_REMARKS } from '../../../shared-protocol/import-remarks/settings.js';
import { TORRENT_REMARKS } from '../../../shared-protocol/import-remarks/torrents.js';

void t.test('sentences hold what the data has', async (t) => {
  t.equal(textOf(remark('RATIO_LIMIT')), 'ratio limit');
  t.equal(textOf(remark('RULE', { name: '{name} $& \\1' })), 'rule {name} $& \\1', 'which is no pattern');
  const setting = remark('RATIO_LIMIT');
  t.equal(textOf(remark('OF_LABEL', { setting, label: 'films' })), 'ratio limit of the label films');
  const days = [remark('SUNDAY'), remark('FRIDAY')];
  t.equal(textOf(remark('WINDOW', { days, start: '08:00', end: '20:00' })), 'Sun, Fri, 08:00 to 20:00');
  t.equal(textOf(remark('FEEDS', { count: 1 })), '1 feed');
  t.equal(textOf(remark('FEEDS', { count: 0 })), '0 feeds');
});

void t.test('what is a remark', async (t) => {
  t.ok(isRemark({ code: 'PROXY' }));
  for (const other of [{ code: 'proxy' }, { code: 'toString' }, {}, 'PROXY', null, ['PROXY']]) t.notOk(isRemark(other));
});

void t.test('codes are of one kind, and no two are the same', async (t) => {
  const codes = Object.keys(REMARKS);
  for (const code of codes) t.match(code, /^[A-Z][A-Z0-9_]*$/);
  const parts = [SETTING_REMARKS, REASON_REMARKS, TORRENT_REMARKS].flatMap((part) => Object.keys(part));
  t.same(parts.sort(), codes.sort());
});
