// The lines of the log that administrators read: bounded, found, and without secrets.
import t from 'tap';
import { LogRecords } from '../../../api/log-records.js';
import { SILENT_LOG } from '../../support/api-harness.js';

const PASSKEY = '0123456789abcdef0123456789abcdef';
const HASH = 'a1b2c3d4e5'.repeat(4);

function start(level: 'debug' | 'info' | 'silent' = 'info') {
  let nowMs = 1_000;
  const records = new LogRecords(level, () => ++nowMs);
  return { records, api: records.keeping('api', SILENT_LOG), engine: records.keeping('engine', SILENT_LOG) };
}

void t.test('lines are found by level, part, text, and from one on', async (t) => {
  const { records, api, engine } = start();
  api.info('ready', { url: 'http://127.0.0.1:80' });
  engine.warn('the disk is full, downloads wait', { path: '/data' });
  api.debug('nobody asked for it');
  api.error('bug: a poll failed', { feedId: 7 });
  const found = (query: Parameters<LogRecords['find']>[0]) => records.find(query).records.map(({ message }) => message);
  t.same(found({}), ['ready', 'the disk is full, downloads wait', 'bug: a poll failed']);
  t.same(found({ level: 'warn' }), ['the disk is full, downloads wait', 'bug: a poll failed']);
  t.same(found({ part: 'engine' }), ['the disk is full, downloads wait']);
  t.same(found({ text: 'DISK' }), ['the disk is full, downloads wait']);
  t.same(found({ text: 'feedid=7' }), ['bug: a poll failed']);
  t.same(found({ after: 2 }), ['bug: a poll failed']);
  t.match(records.find({ text: 'nothing such' }), { records: [], last: 3, level: 'info' });
});

void t.test('no secret is kept, wherever it stands', async (t) => {
  const { records, api, engine } = start('debug');
  api.info('signed in', { user: 'admin', password: 'hunter2', token: 'abc' });
  engine.debug(`announce to https://tracker.example/${PASSKEY}/announce failed`, {
    url: `https://tracker.example/announce?passkey=${PASSKEY}`,
    reason: `unknown key ${PASSKEY}`,
    torrentId: HASH,
  });
  const told = records.asLines() + JSON.stringify(records.find({}));
  for (const secret of [PASSKEY, 'hunter2', '"abc"']) t.notOk(told.includes(secret), secret);
  t.same(records.find({ text: PASSKEY }).records, [], 'nor is it found');
  t.match(records.find({ part: 'engine' }).records, [{ message: /tracker\.example/, fields: { torrentId: HASH } }]);
  t.match(JSON.parse(records.asLines().split('\n')[0] ?? ''), { level: 'info', name: 'api', msg: 'signed in' });
});

void t.test('the last 2,000 are kept, an answer has 1,000, and long lines are cut', async (t) => {
  const { records, api } = start();
  for (let n = 1; n <= 2_500; n++) api.info(`line ${n}`);
  t.equal(records.asLines().split('\n').length, 2_001);
  const { records: all, last } = records.find({});
  t.same([all.length, all[0]?.message, all.at(-1)?.message, last], [1_000, 'line 1501', 'line 2500', 2_500]);
  api.warn('x y '.repeat(1_000), Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field${n}`, n])));
  const [long] = records.find({ level: 'warn' }).records;
  t.ok(long && long.message.length < 1_100 && Object.keys(long.fields).length === 30);
});

void t.test('a service that logs nothing keeps nothing', async (t) => {
  const { records, api } = start('silent');
  api.error('unheard');
  t.match(records.find({}), { records: [], level: 'silent' });
});
