// Events of an engine are let through as every engine of ours sends them, with whatever a newer one adds; nothing else is.
import t from 'tap';
import type { EventName } from '../../../../shared-protocol/events.js';
import { isEvent, isOutcome } from '../../../../shared-protocol/stream/event-shape.js';
import { EVENT_SAMPLES } from '../../../support/samples.js';

type Payload = Record<string, unknown>;
const NONSENSE = [undefined, null, NaN, -1, 1.5, '', 'x', [], {}, [null], [[]], true, new Uint8Array(3), '../x'];

void t.test('all that our engines say', async (t) => {
  for (const name of Object.keys(EVENT_SAMPLES) as EventName[]) {
    // The figures come as rows.
    if (name === 'stats.table') continue;
    for (const payload of EVENT_SAMPLES[name]) {
      t.ok(isEvent({ name, payload }), name);
      t.ok(isEvent({ name, payload: { ...payload, newer: 1 } }), `${name} of a newer engine`);
    }
  }
  t.ok(isEvent({ name: 'of.newer', payload: 1 }), 'a kind that nobody listens to');
});

void t.test('each field that has to be there', async (t) => {
  const [facts] = EVENT_SAMPLES['torrents.added'].flatMap(({ torrents }) => torrents);
  t.ok(isEvent({ name: 'torrent.changed', payload: { facts } }));
  const required = [
    'id',
    'row',
    'rowTag',
    'name',
    'trackers',
    'savePath',
    'totalBytes',
    'isPrivate',
    'hasMetadata',
    'ownerId',
    'library',
    'addedAt',
  ];
  for (const field of required) {
    for (const value of [undefined, null, {}, [], NaN]) {
      const changed = { ...(facts as unknown as Payload), [field]: value };
      t.notOk(isEvent({ name: 'torrents.added', payload: { torrents: [changed] } }), `${field} ${String(value)}`);
      t.notOk(isEvent({ name: 'torrent.changed', payload: { facts: changed } }), `${field} ${String(value)}`);
    }
  }
  for (const row of [-1, 1_000_000, 2 ** 31, '1']) {
    t.notOk(isEvent({ name: 'torrent.changed', payload: { facts: { ...facts, row } } }), `row ${row}`);
  }
});

void t.test('texts and numbers that are kept, or added up', async (t) => {
  const [facts] = EVENT_SAMPLES['torrents.added'].flatMap(({ torrents }) => torrents);
  const changed = (change: object) => ({ name: 'torrent.changed', payload: { facts: { ...facts, ...change } } });
  const long = 'x'.repeat(65_537);
  for (const field of ['name', 'contentName', 'trackers', 'savePath']) t.notOk(isEvent(changed({ [field]: long })));
  for (const field of ['totalBytes', 'metadataBytes', 'addedAt', 'completedAt']) {
    for (const number of [Infinity, 1e300, -1e300]) t.notOk(isEvent(changed({ [field]: number })), field);
  }
  const line = (fields: unknown) => ({ name: 'log', payload: { level: 'info', message: 'x', fields } });
  t.ok(isEvent(line({ torrentId: 'a', piece: 1, ok: true, reason: null })));
  for (const value of [[], {}, long, new Uint8Array(3)]) t.notOk(isEvent(line({ value })));
  t.notOk(isEvent({ name: 'log', payload: { level: 'info', message: long, fields: {} } }));
});

void t.test('limits are whatever an account has set', async (t) => {
  const [facts] = EVENT_SAMPLES['torrents.added'].flatMap(({ torrents }) => torrents);
  const seedPolicy = { ratioLimit: 1e300, minutesLimit: 1e300, inactiveMinutesLimit: 1e300 };
  const rateLimits = { downBytesPerSec: 1e300, upBytesPerSec: 1e300 };
  const limited = { ...facts!, rateLimits, library: { ...facts!.library, seedPolicy } };
  t.ok(isEvent({ name: 'torrent.changed', payload: { facts: limited } }));
});

void t.test('nonsense', async (t) => {
  const names = [
    'torrents.added',
    'torrent.changed',
    'torrent.removed',
    'files.left',
    'stats.table',
    'lease.wanted',
    'log',
  ];
  for (const payload of NONSENSE) {
    for (const name of names) t.notOk(isEvent({ name, payload }), name);
    t.notOk(isEvent(payload));
    t.notOk(isEvent({ name: payload === '' || typeof payload === 'string' ? 7 : payload, payload: {} }));
    t.notOk(isEvent({ name: 'torrents.added', payload: { torrents: payload === undefined ? 1 : [payload] } }));
    t.notOk(isOutcome(payload));
    t.notOk(isOutcome({ kind: 'failed', error: payload }));
  }
  for (const level of ['silent', 'fatal', 'constructor', 'child', 'bindings']) {
    t.notOk(isEvent({ name: 'log', payload: { level, message: 'x', fields: {} } }), level);
  }
  t.ok(isOutcome({ kind: 'done', value: undefined }));
  t.ok(isOutcome({ kind: 'failed', error: { code: 'BUG', message: 'x' } }));
});
