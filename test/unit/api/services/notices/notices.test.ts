// Notices of several fronts: what is done with them at another one is seen here, whatever is being stored just then.
import t from 'tap';
import { Notices } from '../../../../../api/services/notices/notices.js';
import { noNotices, ringSchema, type News, type RingData } from '../../../../../api/services/notices/ring.js';
import { ADMIN_ACCOUNT_ID } from '../../../../../shared-protocol/ids.js';
import { AppError } from '../../../../../shared-protocol/errors.js';
import type { Collection } from '../../../../../storage/types.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';

const NEWS: News = { kind: 'completed', torrent_id: '0'.repeat(40), name: 'film' };

class SharedNotices extends MemoryCollection<RingData> {
  /** Done at another front while the next change is stored: it is, but this front has not heard so. */
  meanwhile: ((data: RingData) => void) | null = null;
  /** Whether the next change is not stored. */
  isCut = false;

  constructor() {
    super(noNotices(), (data) => ringSchema.parse(data));
  }

  override async update(change: (data: RingData) => void): Promise<void> {
    const { meanwhile, isCut } = this;
    this.meanwhile = null;
    this.isCut = false;
    if (!isCut) await super.update(change);
    if (meanwhile) await this.updateElsewhere(meanwhile);
    if (isCut) throw new AppError('STORAGE_FAILED', 'away');
  }
}

function front() {
  const collection = new SharedNotices();
  const store = {
    open: async <Data>() => collection as unknown as Collection<Data>,
    names: async () => [],
    remove: async () => undefined,
  };
  const notices = new Notices({ store, isAccount: () => true, now: () => 1_700_000_000, log: SILENT_LOG });
  const unread: number[] = [];
  notices.onChanged((_id, changed) => void unread.push(changed.unread.completed));
  /** Resolves when it is stored. */
  const tell = async () => {
    notices.tell(ADMIN_ACCOUNT_ID, NEWS);
    await notices.stop();
  };
  return { collection, notices, unread, tell };
}

function readAll(data: RingData): void {
  data.notices = data.notices.map((notice) => ({ ...notice, read: true }));
}

void t.test('read at another front they are read here', async (t) => {
  const { collection, notices, unread, tell } = front();
  await tell();
  await collection.updateElsewhere(readAll);
  await new Promise<void>((resolve) => void setImmediate(resolve));
  t.equal((await notices.of(ADMIN_ACCOUNT_ID)).unread.completed, 0);
  t.same(unread, [1, 0], 'and whoever looks hears of it');
});

void t.test('read at another front while this one stores', async (t) => {
  const { collection, notices, unread, tell } = front();
  collection.meanwhile = readAll;
  await tell();
  await new Promise<void>((resolve) => void setImmediate(resolve));
  t.equal((await notices.of(ADMIN_ACCOUNT_ID)).unread.completed, 0);
  t.equal(unread.at(-1), 0, 'and whoever looks hears of it');
});

void t.test('read at another front while this one fails to store', async (t) => {
  const { collection, notices, tell } = front();
  await tell();
  [collection.meanwhile, collection.isCut] = [readAll, true];
  await tell();
  const { notices: newest } = await notices.of(ADMIN_ACCOUNT_ID);
  t.same(
    newest.map(({ read }) => read),
    [false, true],
    'what is not stored yet is new still',
  );
});
