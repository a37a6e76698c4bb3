// Another secret of a webhook: a receiver that has either takes a message for a day, and then only one that has the new one.
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { signedHeaders } from '../../../../../api/services/hooks/webhook-message.js';
import {
  keptSecrets,
  newSecret,
  replaced,
  signingSecrets,
  storedSecretsSchema,
} from '../../../../../api/services/hooks/webhook-secrets.js';

const DAY_SECONDS = 86_400;
/** The library takes messages of now alone. */
const NOW = Math.floor(Date.now() / 1_000);
const secretOf = (byte: number) => newSecret((length) => new Uint8Array(length).fill(byte));
const [FIRST, SECOND, THIRD] = [secretOf(1), secretOf(2), secretOf(3)];
const MADE = { secret: FIRST, secret_before: null };

void t.test('each of those that sign is enough', (t) => {
  const message = { id: 'msg_1', text: '{"type":"webhook.test"}' };
  const headers = signedHeaders(message, signingSecrets(replaced(MADE, SECOND, NOW), NOW), NOW);
  for (const secret of [FIRST, SECOND]) t.ok(new Webhook(secret).verify(message.text, headers));
  t.throws(() => new Webhook(THIRD).verify(message.text, headers));
  const alone = signedHeaders(message, signingSecrets(MADE, NOW), NOW);
  t.ok(new Webhook(FIRST).verify(message.text, alone));
  t.match(alone['webhook-signature'], /^v1,\S+$/, 'one signature, for receivers that know of no more');
  t.end();
});

void t.test('the one before signs for a day, and one before that no more', (t) => {
  const kept = replaced(MADE, SECOND, NOW);
  t.same(signingSecrets(kept, NOW + DAY_SECONDS - 1), [SECOND, FIRST]);
  t.same(signingSecrets(kept, NOW + DAY_SECONDS), [SECOND]);
  t.same(signingSecrets(replaced(kept, THIRD, NOW), NOW), [THIRD, SECOND]);
  t.same(keptSecrets(kept, NOW + DAY_SECONDS - 1), kept);
  t.same(
    keptSecrets(kept, NOW + DAY_SECONDS),
    { secret: SECOND, secret_before: null },
    'what opens nothing is not kept',
  );
  t.end();
});

void t.test('webhooks of before have one secret', (t) => {
  t.same(storedSecretsSchema.parse({ secret: FIRST }), MADE);
  t.end();
});
