// Sign-in links on a virtual clock.
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import t from 'tap';
import { SIGN_IN_LINK_TTL_MS, SignInLinks } from '../../../../api/auth/sign-in-links.js';
import { ADMIN_ACCOUNT_ID } from '../../../../shared-protocol/ids.js';

function start() {
  const clock = { ms: 1_000 };
  return { clock, links: new SignInLinks({ now: () => clock.ms, randomBytes }) };
}
const REFUSED = { code: 'INVALID_CREDENTIALS' };

void t.test('a token is good once', async (t) => {
  const { links } = start();
  const [token, other] = [links.create(ADMIN_ACCOUNT_ID), links.create(ADMIN_ACCOUNT_ID)];
  t.match(token, /^[A-Za-z0-9_-]{43}$/);
  t.throws(() => links.redeem('nobody has it'), REFUSED);
  t.equal(links.redeem(token), ADMIN_ACCOUNT_ID);
  t.throws(() => links.redeem(token), REFUSED);
  t.equal(links.redeem(other), ADMIN_ACCOUNT_ID, 'each by itself');
});

void t.test('for 60 seconds; then it is forgotten', async (t) => {
  const { clock, links } = start();
  const [late, early] = [links.create(ADMIN_ACCOUNT_ID), links.create(ADMIN_ACCOUNT_ID)];
  t.equal(SIGN_IN_LINK_TTL_MS, 60_000);
  clock.ms += 59_999;
  t.equal(links.redeem(early), ADMIN_ACCOUNT_ID);
  clock.ms += 1;
  t.throws(() => links.redeem(late), REFUSED);
  t.equal(links.size, 0);
});

void t.test('the token itself is not kept', async (t) => {
  const { links } = start();
  const token = links.create(ADMIN_ACCOUNT_ID);
  t.notOk(inspect(links, { depth: 9, showHidden: true }).includes(token));
});
