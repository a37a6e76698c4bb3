// Remarks of a report of an import in the languages of the page.
import t from 'tap';
import {
  remarkLanguage,
  remarkSentence,
  remarkWords,
  type ToldRemark,
} from '../../../../api/web/src/features/import/remark-words.js';
import { remark, REMARKS, textOf, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { speakAll } from '../../../support/texts.js';

const SPEED = remark('WITH_VALUE', { setting: remark('SPEED_DOWN'), value: remark('SPEED', { kbps: 1_500 }) });
const refused = (reason: object): Remark => ({ code: 'AS_REFUSED', data: { text: 'path: not absolute', ...reason } });
const ENGLISH = 'what a later version says';

t.beforeEach(() => speakAll('en'));
t.after(() => speakAll('en'));

void t.test('a remark, those in it and lists of them are worded in both languages', async (t) => {
  const cases = [
    [remark('RATIO_LIMIT'), 'ratio limit', 'Ratio-Limit'],
    [SPEED, 'speed limit down 1,500 KiB/s', 'Download-Limit 1.500 KiB/s'],
    [
      remark('SETTINGS_LEFT', { settings: [SPEED, remark('FEEDS', { count: 1 })] }),
      'its settings are not taken over, as that was not asked for: speed limit down 1,500 KiB/s, 1 feed',
      'die Einstellungen werden nicht übernommen, weil das nicht gewählt ist: Download-Limit 1.500 KiB/s, 1 Feed',
    ],
    [
      remark('WINDOW', { days: [remark('MONDAY'), remark('TUESDAY')], start: '08:00', end: '20:00' }),
      'Mon, Tue, 08:00 to 20:00',
      'Mo, Di, 08:00 bis 20:00',
    ],
    [remark('RULES', { count: 1 }), '1 rule of feeds', '1 Feed-Regel'],
    [remark('RULES', { count: 2 }), '2 rules of feeds', '2 Feed-Regeln'],
    [remark('TEXT', { text: '1500' }), '1500', '1500'],
    [remark('RULE', { name: 'a\u202eb {name}' }), 'rule a\ufffdb {name}', 'Regel a\ufffdb {name}'],
  ] as const;
  for (const [told, english] of cases) t.equal(remarkWords(told, ENGLISH), english);
  await speakAll('de');
  for (const [told, , german] of cases) t.equal(remarkWords(told, ENGLISH), german);
});

void t.test('each is worded in English as by the server', async (t) => {
  for (const [code, sentence] of Object.entries(REMARKS) as [Remark['code'], unknown][]) {
    const names = JSON.stringify(sentence).matchAll(/\{(\w+)\}/g);
    const told: Remark = { code, data: Object.fromEntries([...names].map(([, name]) => [name, name])) };
    if (code !== 'AS_REFUSED') t.equal(remarkWords(told, ENGLISH), textOf(told));
  }
});

void t.test('one of a later version is shown in English, also within another', async (t) => {
  await speakAll('de');
  const later: ToldRemark = { code: 'LATER' };
  for (const told of [
    later,
    { code: 'constructor' },
    { code: 'LIST', data: { items: [SPEED, later] } },
    { code: 'BOTH', data: { one: remark('UNREADABLE'), other: later } },
    null,
  ]) {
    t.equal(remarkWords(told, ENGLISH), ENGLISH);
    t.equal(remarkSentence(told, ENGLISH), 'What a later version says');
    t.equal(remarkLanguage(told), 'en');
  }
});

void t.test('one that stands by itself begins with a capital, where that is no name', async (t) => {
  await speakAll('de');
  for (const [told, sentence] of [
    [remark('UNREADABLE'), 'Lässt sich nicht lesen'],
    [remark('SAVE_PATH_MISSING'), 'save_path: der Eintrag sagt nicht, wo die Dateien liegen'],
    [remark('FILE_GONE', { file: '0.torrent' }), '0.torrent: ist nicht mehr da'],
  ] as const) {
    t.equal(remarkSentence(told, ENGLISH), sentence);
    t.equal(remarkLanguage(told), undefined);
  }
});

void t.test('what was refused is worded by its reason, and as it came without one', async (t) => {
  const known = refused({ reason: 'PATH_NOT_FOUND', facts: { path: '/srv/films' } });
  const stays = remark('STAYS_WHEN_COMPLETE', { reason: known });
  t.equal(remarkSentence(known, ENGLISH), '/srv/films does not exist on the server.');
  await speakAll('de');
  t.equal(remarkSentence(known, ENGLISH), '/srv/films gibt es auf dem Server nicht.');
  t.equal(
    remarkWords(stays, ENGLISH),
    'bleibt nach der Fertigstellung, wo er ist: /srv/films gibt es auf dem Server nicht.',
  );
  t.equal(remarkLanguage(known), undefined);
  for (const told of [refused({}), refused({ reason: 'LATER', facts: {} })]) {
    t.equal(remarkSentence(told, ENGLISH), 'Path: not absolute');
    t.equal(remarkLanguage(told), 'en');
  }
});
