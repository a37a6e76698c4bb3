// Webhooks of several fronts, of which one sends: what is changed at another one holds for what waits at that one. And what a
// receiver says that wants no more.
import t from 'tap';
import { firstAdmin } from '../../../../../api/auth/account.js';
import {
  NO_WEBHOOKS,
  Webhooks,
  webhooksSchema,
  type WebhooksData,
} from '../../../../../api/services/hooks/webhooks.js';
import { Labels, labelsSchema, NO_LABELS } from '../../../../../api/services/library/labels.js';
import { ADMIN_ACCOUNT_ID } from '../../../../../shared-protocol/ids.js';
import type { Collection } from '../../../../../storage/types.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const ADMIN = firstAdmin(null, 0);
const HOOK = { url: 'http://192.0.2.1/', events: ['added' as const] };

/** The front that sends, as what it is told of its deliveries, and one that does not. */
async function setUp() {
  const collection = new MemoryCollection<WebhooksData>(NO_WEBHOOKS, (data) => webhooksSchema.parse(data));
  const elsewhere: Collection<WebhooksData> = {
    get data() {
      return collection.data;
    },
    update: (change: (data: WebhooksData) => void) => collection.updateElsewhere(change),
    onChanged: () => undefined,
    refresh: () => collection.refresh(),
  };
  const clock = new VirtualClock();
  const told: string[] = [];
  let status = 200;
  const front = (own: Collection<WebhooksData>, tell: (what: string) => void) =>
    new Webhooks({
      collection: own,
      deliveries: {
        add: () => undefined,
        queueOf: () => undefined,
        forget: (id) => tell(`forget ${id}`),
        clear: (id) => tell(`clear ${id}`),
        hurry: (id) => tell(`hurry ${id}`),
      },
      egress: { check: async () => undefined, post: async () => status },
      labels: new Labels({ collection: new MemoryCollection(NO_LABELS, (data) => labelsSchema.parse(data)) }),
      accountOf: () => ADMIN,
      randomBytes: (length) => new Uint8Array(length),
      clock,
    });
  const sending = front(collection, (what) => told.push(what));
  const other = front(elsewhere, () => undefined);
  for (let made = 0; made < 2; made++) await sending.create(ADMIN_ACCOUNT_ID, HOOK);
  await other.change(ADMIN_ACCOUNT_ID, 2, {});
  told.length = 0;
  return { sending, other, told, clock, answer: (how: number) => void (status = how) };
}

void t.test(
  'what waits is sent at once after a change at another front, though nothing is another thing',
  async (t) => {
    const { other, told } = await setUp();
    await other.change(ADMIN_ACCOUNT_ID, 1, { enabled: true });
    await other.change(ADMIN_ACCOUNT_ID, 1, { enabled: true });
    t.same(told, ['hurry 1', 'hurry 1'], 'and what waits for others goes on waiting');
  },
);

void t.test('nothing more is sent once it is disabled at another front', async (t) => {
  const { other, told } = await setUp();
  await other.change(ADMIN_ACCOUNT_ID, 2, { enabled: false });
  t.same(told, ['clear 2']);
});

void t.test('own changes are taken up once', async (t) => {
  const { sending, other, told } = await setUp();
  await sending.change(ADMIN_ACCOUNT_ID, 1, { enabled: true });
  await other.change(ADMIN_ACCOUNT_ID, 2, { events: [] });
  t.same(told, ['hurry 1', 'hurry 2']);
});

void t.test(
  'a receiver that wants no more switches it off, and is asked anew once it is enabled or another',
  async (t) => {
    const { sending, told, clock, answer } = await setUp();
    const message = { id: 'msg_1', webhook_id: 1, account_id: ADMIN_ACCOUNT_ID, text: '{}', unix_ms: 0 };
    const send = () => sending.send(message, new AbortController().signal);
    const [first] = sending.list(ADMIN_ACCOUNT_ID);
    t.match(first, { enabled: true, gone_at: 0 });
    answer(500);
    await t.rejects(send(), { message: 'Delivery failed: HTTP 500' });
    t.match(sending.list(ADMIN_ACCOUNT_ID)[0], { enabled: true, gone_at: 0 });
    answer(410);
    const goneAt = Math.floor(clock.unixMs() / 1_000);
    for (const change of [{ enabled: true }, { url: 'http://192.0.2.2/' }]) {
      told.length = 0;
      await t.rejects(send(), { message: 'Delivery failed: HTTP 410' });
      t.match(sending.list(ADMIN_ACCOUNT_ID)[0], { enabled: false, gone_at: goneAt });
      t.same(told, ['clear 1']);
      await sending.change(ADMIN_ACCOUNT_ID, 1, { events: ['removed'] });
      t.match(sending.list(ADMIN_ACCOUNT_ID)[0], { gone_at: goneAt });
      await sending.change(ADMIN_ACCOUNT_ID, 1, change);
      t.match(sending.list(ADMIN_ACCOUNT_ID)[0], { gone_at: 0 });
    }
  },
);

void t.test('a test says what it was answered, and that 410 is a refusal', async (t) => {
  const { sending, answer } = await setUp();
  answer(202);
  t.same(await sending.test(ADMIN_ACCOUNT_ID, 1), { ok: true, status: 202 });
  answer(410);
  await t.rejects(sending.test(ADMIN_ACCOUNT_ID, 1), { message: 'webhook: Delivery failed: HTTP 410' });
});
