// What the server says about rules, as the page words it.
import t from 'tap';
import { MAX_RULES, wordsOf } from '../../../../api/web/src/features/automations/said.js';
import { MAX_RULES_OF_ACCOUNT } from '../../../../shared-protocol/dto/automations.js';
import { speakAll } from '../../../support/texts.js';

await speakAll('en');

void t.test('an account that has as many rules as it may is told so, and no other', async (t) => {
  t.equal(MAX_RULES, MAX_RULES_OF_ACCOUNT);
  const code = 'QUOTA_EXCEEDED';
  const message = 'what else the page says';
  const data = { of: 'automations', max: MAX_RULES };
  t.equal(wordsOf({ message, reason: { code, data } }), 'You have 50 rules, which is the maximum.');
  t.equal(wordsOf({ message, reason: { code } }), message, 'too many of all accounts');
  t.match(wordsOf({ message, reason: { code, data: { of: 'previews' } } }), /preview|dry run/i);
});
