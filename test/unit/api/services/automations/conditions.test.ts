// Conditions as a table, when the clock alone changes their answer, and how names are matched.
import t from 'tap';
import { compileGroup, failingPath } from '../../../../../api/services/automations/conditions.js';
import { RuleNames } from '../../../../../api/services/automations/rule-names.js';
import { Due, type Subject } from '../../../../../api/services/automations/subject.js';
import { Thresholds } from '../../../../../api/services/automations/thresholds.js';
import type { ListedTorrent } from '../../../../../api/services/library/shares.js';
import type { Condition, ConditionGroup } from '../../../../../shared-protocol/dto/automations.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';
import { emptyStats, TORRENT_FLAGS, type TorrentStats } from '../../../../../shared-protocol/stats-table.js';
import { factsOf } from '../../../../support/facts-of.js';

const NOW = 1_700_000_000;
const { completed, paused, filesMissing } = TORRENT_FLAGS;
/** There are categories and tags 1 to 9. */
const LABELS = {
  category: (id: number) =>
    id < 10 ? { id, name: '', color: '', default_save_path: '', auto_move: false } : undefined,
  tag: (id: number) => (id < 10 ? { id, name: '', color: '' } : undefined),
};

interface Given {
  readonly facts?: Partial<ListedTorrent>;
  readonly library?: Partial<ListedTorrent['library']>;
  readonly stats?: Partial<TorrentStats>;
  readonly now?: number;
  readonly freeBytes?: number | null;
}

function subjectOf({ facts, library, stats, now = NOW, freeBytes = null }: Given): Subject {
  const record = { ...NEW_LIBRARY_RECORD, ...library };
  return {
    facts: factsOf({ addedAt: NOW - 3_600, library: record, ...facts }),
    stats: { ...emptyStats(), ...stats },
    ...{ now, freeBytes, torrents: 3 },
  };
}

const holds = (condition: Condition, given: Given = {}): boolean =>
  compileGroup({ match: 'all', conditions: [condition] }, LABELS, new RuleNames()).test(subjectOf(given), new Due());
const refusal = { url: 'http://t/', message: 'Unregistered torrent', isRefusal: true };

void t.test('what each condition holds for', async (t) => {
  const atLeast = (
    field: 'ratio' | 'age' | 'free_space' | 'swarm_seeds' | 'seeding_time' | 'completed_age',
    value: number,
  ) => ({ field, op: 'at_least', value }) as const;
  const cases: { name: string; condition: Condition; given?: Given; expected: boolean }[] = [
    { name: 'it runs and is whole', condition: { field: 'state', op: 'is', values: ['seeding'] }, given: { stats: { flags: completed } }, expected: true }, // prettier-ignore
    { name: 'paused is not seeding', condition: { field: 'state', op: 'is', values: ['seeding'] }, given: { stats: { flags: completed | paused } }, expected: false }, // prettier-ignore
    { name: 'one of several', condition: { field: 'state', op: 'is', values: ['error', 'paused'] }, given: { stats: { flags: paused } }, expected: true }, // prettier-ignore
    { name: 'not', condition: { field: 'state', op: 'is_not', values: ['paused'] }, given: { stats: { flags: paused } }, expected: false }, // prettier-ignore
    { name: 'missing files are an error', condition: { field: 'state', op: 'is', values: ['error'] }, given: { stats: { flags: filesMissing } }, expected: true }, // prettier-ignore
    { name: 'unregistered', condition: { field: 'tracker_error', op: 'is', values: ['UNREGISTERED'] }, given: { facts: { trackerError: refusal } }, expected: true }, // prettier-ignore
    { name: 'another refusal', condition: { field: 'tracker_error', op: 'is', values: ['UNREGISTERED'] }, given: { facts: { trackerError: { ...refusal, message: 'slow down' } } }, expected: false }, // prettier-ignore
    { name: 'unreachable says nothing of registration', condition: { field: 'tracker_error', op: 'is', values: ['UNREGISTERED'] }, given: { facts: { trackerError: { ...refusal, isRefusal: false } } }, expected: false }, // prettier-ignore
    { name: 'no failure', condition: { field: 'tracker_error', op: 'is_not', values: ['REFUSED'] }, expected: true },
    { name: 'public', condition: { field: 'private', value: false }, expected: true },
    { name: 'neither, without metadata', condition: { field: 'private', value: false }, given: { facts: { hasMetadata: false } }, expected: false }, // prettier-ignore
    { name: 'in the category', condition: { field: 'category', op: 'is', category_ids: [2, null] }, given: { library: { categoryId: 2 } }, expected: true }, // prettier-ignore
    { name: 'a deleted one is none', condition: { field: 'category', op: 'is', category_ids: [null] }, given: { library: { categoryId: 99 } }, expected: true }, // prettier-ignore
    { name: 'any tag', condition: { field: 'tags', op: 'any', tag_ids: [1, 2] }, given: { library: { tagIds: [2] } }, expected: true }, // prettier-ignore
    { name: 'not all tags', condition: { field: 'tags', op: 'all', tag_ids: [1, 2] }, given: { library: { tagIds: [2] } }, expected: false }, // prettier-ignore
    { name: 'none of the tags', condition: { field: 'tags', op: 'none', tag_ids: [1] }, given: { library: { tagIds: [2] } }, expected: true }, // prettier-ignore
    { name: 'the host', condition: { field: 'tracker', op: 'is', hosts: ['tracker.example'] }, expected: true },
    { name: 'a host above it', condition: { field: 'tracker', op: 'is', hosts: ['example'] }, expected: true },
    { name: 'a name that only ends like it', condition: { field: 'tracker', op: 'is', hosts: ['racker.example'] }, expected: false }, // prettier-ignore
    {
      name: 'glob',
      condition: { field: 'name', op: 'matches', syntax: 'glob', pattern: 'sample "?"*' },
      expected: true,
    },
    { name: 'a glob is about all of the name', condition: { field: 'name', op: 'matches', syntax: 'glob', pattern: 'sample' }, expected: false }, // prettier-ignore
    { name: 'a dot in a glob is a dot', condition: { field: 'name', op: 'matches', syntax: 'glob', pattern: 'sample..1*' }, expected: false }, // prettier-ignore
    { name: 'regex, anywhere', condition: { field: 'name', op: 'matches', syntax: 'regex', pattern: '"[0-9]"' }, expected: true }, // prettier-ignore
    { name: 'the name that people gave', condition: { field: 'name', op: 'matches_not', syntax: 'glob', pattern: 'holiday' }, given: { library: { name: 'Holiday' } }, expected: false }, // prettier-ignore
    { name: 'the folder itself', condition: { field: 'save_path', op: 'below', path: '/files/' }, expected: true },
    {
      name: 'another that begins like it',
      condition: { field: 'save_path', op: 'below', path: '/fil' },
      expected: false,
    },
    { name: 'a path that is not told', condition: { field: 'save_path', op: 'not_below', path: '/x' }, given: { facts: { savePath: '' } }, expected: false }, // prettier-ignore
    { name: 'ratio', condition: atLeast('ratio', 1.5), given: { stats: { bytesDone: 2, totalUp: 3 } }, expected: true },
    { name: 'no ratio without bytes', condition: { field: 'ratio', op: 'at_most', value: 9 }, expected: false },
    { name: 'age in minutes', condition: atLeast('age', 60), expected: true },
    { name: 'not yet', condition: atLeast('age', 61), expected: false },
    { name: 'never completed', condition: atLeast('completed_age', 0), expected: false },
    { name: 'seeding goes on', condition: atLeast('seeding_time', 3), given: { stats: { flags: completed, seedingSeconds: 60, countedSince: NOW - 120 } }, expected: true }, // prettier-ignore
    { name: 'seeding that rests', condition: atLeast('seeding_time', 3), given: { stats: { flags: completed, seedingSeconds: 60 } }, expected: false }, // prettier-ignore
    { name: 'nobody told of the swarm', condition: { field: 'swarm_seeds', op: 'at_most', value: 5 }, expected: false },
    { name: 'free space', condition: { field: 'free_space', op: 'at_most', value: 10 }, given: { freeBytes: 9 }, expected: true }, // prettier-ignore
    { name: 'a volume that does not answer', condition: { field: 'free_space', op: 'at_most', value: 10 }, expected: false }, // prettier-ignore
    { name: 'how many there are', condition: { field: 'torrents', op: 'at_most', value: 3 }, expected: true },
  ];
  for (const { name, condition, given, expected } of cases) t.equal(holds(condition, given), expected, name);
});

const yes: Condition = { field: 'private', value: false };
const no: Condition = { field: 'private', value: true };

void t.test('groups, and which condition fails', async (t) => {
  const group = (match: 'all' | 'any', ...conditions: ConditionGroup['conditions']): ConditionGroup => ({
    match,
    conditions,
  });
  const inner = (match: 'all' | 'any', ...conditions: Condition[]) =>
    ({ field: 'group', ...group(match, ...conditions) }) as const;
  const cases = [
    { given: group('all', yes, yes), holds: true, failing: [] },
    { given: group('all', yes, no), holds: false, failing: [1] },
    { given: group('any', no, yes), holds: true, failing: [] },
    { given: group('any', no, no), holds: false, failing: [] },
    { given: group('all', yes, inner('all', yes, no)), holds: false, failing: [1, 1] },
    { given: group('all', inner('any', no, yes), yes), holds: true, failing: [] },
    { given: group('all', inner('any', no, no)), holds: false, failing: [0] },
  ];
  for (const { given, holds, failing } of cases) {
    const compiled = compileGroup(given, LABELS, new RuleNames());
    const subject = subjectOf({});
    t.equal(compiled.test(subject, new Due()), holds, JSON.stringify(given));
    if (!holds) t.same(failingPath(compiled, subject, new Due()), failing);
  }
});

void t.test('a span says when it reaches its bound, and holds from then on', async (t) => {
  for (const op of ['at_least', 'at_most'] as const) {
    const group = compileGroup(
      { match: 'all', conditions: [{ field: 'age', op, value: 90 }] },
      LABELS,
      new RuleNames(),
    );
    let now = NOW;
    const answers: boolean[] = [];
    for (;;) {
      const due = new Due();
      answers.push(group.test(subjectOf({ now }), due));
      if (due.at === Infinity) break;
      now = due.at;
    }
    t.equal(answers[0], op === 'at_most');
    t.equal(answers.at(-1), op === 'at_least', 'nothing changes after the last due time');
    t.ok(answers.length <= 3);
  }
});

void t.test('numbers on one side of all bounds are alike, others are not', async (t) => {
  const conditions: Condition[] = [
    { field: 'uploaded', op: 'at_least', value: 100 },
    { field: 'ratio', op: 'at_most', value: 2 },
  ];
  const thresholds = new Thresholds([{ conditions: { match: 'all', conditions } }]);
  const side = (stats: Partial<TorrentStats>) => thresholds.sideOf(subjectOf({ stats: { bytesDone: 100, ...stats } }));
  t.equal(side({ totalUp: 10 }), side({ totalUp: 99, downloadRate: 5, peers: 3 }));
  t.not(side({ totalUp: 99 }), side({ totalUp: 100 }), 'on the bound');
  t.not(side({ totalUp: 100 }), side({ totalUp: 101 }), 'beyond it');
  t.equal(side({ totalUp: 101 }), side({ totalUp: 199 }));
  t.not(side({ totalUp: 199 }), side({ totalUp: 201 }));
  t.not(side({}), side({ flags: paused }));
  t.not(side({ bytesDone: 0 }), side({ bytesDone: 100 }), 'no ratio is a place of its own');
});
