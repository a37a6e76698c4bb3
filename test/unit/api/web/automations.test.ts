// What the server says about rules, as the page words it.
import t from 'tap';
import { MAX_RULES, wordsOf } from '../../../../api/web/src/features/automations/said.js';
import { MAX_RULES_OF_ACCOUNT } from '../../../../shared-protocol/dto/automations.js';
import { speakAll } from '../../../support/texts.js';

await speakAll('en');

void t.test('an account that has as many rules as it may is told so, and no other', async (t) => {
  t.equal(MAX_RULES, MAX_RULES_OF_ACCOUNT);
  const words = (said: string) => wordsOf({ said, message: said });
  t.equal(words(`automations: at most ${MAX_RULES} of an account`), 'You have 50 rules, which is the maximum.');
  const ofAll = 'automations: at most 1000 of all accounts';
  t.equal(words(ofAll), ofAll);
});
