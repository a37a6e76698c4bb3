// Webhooks of several fronts, of which one sends: what is changed at another one holds for what waits at that one.
import t from 'tap';
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
  const told: string[] = [];
  const front = (own: Collection<WebhooksData>, tell: (what: string) => void) =>
    new Webhooks({
      collection: own,
      deliveries: {
        add: () => undefined,
        lane: () => undefined,
        forget: (id) => tell(`forget ${id}`),
        clear: (id) => tell(`clear ${id}`),
        hurry: (id) => tell(`hurry ${id}`),
      },
      egress: { check: async () => undefined, post: async () => 200 },
      labels: new Labels({ collection: new MemoryCollection(NO_LABELS, (data) => labelsSchema.parse(data)) }),
      accountOf: () => undefined,
      randomBytes: (length) => new Uint8Array(length),
      clock: new VirtualClock(),
    });
  const sending = front(collection, (what) => told.push(what));
  const other = front(elsewhere, () => undefined);
  for (let made = 0; made < 2; made++) await sending.create(ADMIN_ACCOUNT_ID, HOOK);
  await other.change(ADMIN_ACCOUNT_ID, 2, {});
  told.length = 0;
  return { sending, other, told };
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
