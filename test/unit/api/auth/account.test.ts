// Records of accounts that older versions wrote: what there was not then bounds nothing.
import t from 'tap';
import { accountsSchema, firstAdmin } from '../../../../api/auth/account.js';
import { NO_QUOTA } from '../../../../shared-protocol/dto/accounts.js';

const read = (account: object) => accountsSchema.parse({ next_id: 2, accounts: [account] }).accounts[0];

void t.test('without quotas, without an engine, without a bound of the month', async (t) => {
  const { home: _home, engine: _engine, quota: _quota, ...first } = firstAdmin(null, 0);
  t.same(read(first), firstAdmin(null, 0));
  const { up_bytes_month: _bound, ...older } = { ...NO_QUOTA, torrents: 5 };
  t.same(read({ ...first, quota: older })?.quota, { ...NO_QUOTA, torrents: 5 });
});
