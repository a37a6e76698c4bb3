// The engines of a front in words: which of them an account can be on, how it goes with each, which one is away.
import t from 'tap';
import { AWAY_CODES, type AwayCode } from '../../../../shared-protocol/dto/engines.js';
import { engineFor, engineOptions, engineText } from '../../../../api/web/src/features/accounts/engine-choice.js';
import { reasonOf, rootsText, standingOf } from '../../../../api/web/src/features/engines/engine-words.js';
import { engineAwayText } from '../../../../api/web/src/features/shell/engine-away-text.js';
import { speakAll } from '../../../support/texts.js';

const ENGINES = [{ name: 'main' }, { name: 'disks' }];
const NOON_S = new Date(2024, 0, 1, 12).getTime() / 1000;

await speakAll('en', 'en-GB');

void t.test('options of an account: nothing else is saved where nothing else is chosen', async (t) => {
  const valuesAt = (current: string) => engineOptions(ENGINES, current).map(({ value }) => value);
  t.same(engineOptions(ENGINES, ''), [
    { value: '', label: 'main (default)' },
    { value: 'disks', label: 'disks' },
    { value: 'auto', label: 'Placed by the fleet' },
  ]);
  t.same(valuesAt('disks'), ['', 'disks', 'auto']);
  t.same(valuesAt('main'), ['main', 'disks', 'auto'], 'which names the first one itself');
  t.same(engineOptions(ENGINES, 'gone').at(-1), { value: 'gone', label: 'gone (not set up)' });
});

void t.test('the engine of an account', async (t) => {
  t.same([engineText(ENGINES, ''), engineText(ENGINES, 'disks')], ['main', 'disks']);
  t.equal(engineText(ENGINES, 'gone'), 'gone (not set up)');
  t.equal(engineText(ENGINES, 'auto'), 'Placed by the fleet');
  t.equal(engineFor([], ''), '');
});

void t.test('how it goes with an engine, and why', async (t) => {
  const standing = (away_since: number | null, reason_code: AwayCode | null) => standingOf({ away_since, reason_code });
  t.same([standing(null, null), standing(5, 'CLOSED'), standing(5, 'LOADING')], ['connected', 'away', 'loading']);
  const shown = (reason_code: AwayCode | null, reason_detail = '') => reasonOf({ reason_code, reason_detail });
  for (const code of AWAY_CODES) t.not(shown(code, 'as it says'), '', code);
  t.equal(shown('NOBODY_THERE'), 'nothing answers at this address');
  t.equal(shown('REFUSED', 'another front has it'), 'it refuses the connection (another front has it)');
  t.equal(shown('FAILED', 'self-signed certificate'), 'self-signed certificate');
  t.equal(shown(null), '');
});

void t.test('where an engine saves', async (t) => {
  t.equal(rootsText([]), 'Saves anywhere');
  const roots = [
    { name: 'data', path: '/srv/a', shared: false },
    { name: 'big', path: '/mnt/b', shared: true },
  ];
  t.equal(rootsText(roots), 'Saves in /srv/a (data), /mnt/b (big, shared)');
});

void t.test('the strip names the engines that are away', async (t) => {
  const at = (names: Readonly<Record<string, number | null>>) =>
    engineAwayText(
      NOON_S,
      Object.entries(names).map(([name, away_since]) => ({ name, away_since })),
      NOON_S * 1000,
    );
  t.match(at({}), /^Engine away since 12:00\./);
  t.match(at({ main: null, disks: null }), /^Engine away since 12:00\./, 'which one has not come yet');
  t.match(at({ main: null, disks: NOON_S + 60 }), /^Engine disks is away since 12:01\. Its/);
  t.match(at({ main: NOON_S, disks: NOON_S + 60 }), /^Engines are away: main since 12:00, disks since 12:01\. Their/);
});
