// What the page says of webhooks: how sending goes, why a message did not arrive, and what one looks like.
import t from 'tap';
import { messageText } from '../../../../api/services/hooks/webhook-message.js';
import { failureWords } from '../../../../api/web/src/features/webhooks/failure-words.js';
import { SAMPLE } from '../../../../api/web/src/features/webhooks/sample.js';
import { goingOf, sendingWords } from '../../../../api/web/src/features/webhooks/sending.js';
import type { WebhookDto } from '../../../../shared-protocol/dto/webhooks.js';
import { ADMIN_ACCOUNT_ID } from '../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../shared-protocol/library-record.js';
import { FACTS } from '../../../support/samples.js';
import { speakAll } from '../../../support/texts.js';

await speakAll('en', 'en-GB');

/** Noon, by whichever zone the test runs in. */
const NOW_MS = new Date(2026, 4, 6, 12).getTime();
const NOW_S = NOW_MS / 1_000;
const MINUTE_S = 60;
const NEW: WebhookDto = {
  ...{ id: 1, user_id: 1, url: 'http://192.0.2.1/', events: ['added'], enabled: true, created_at: NOW_S },
  ...{
    pending: 0,
    dropped: 0,
    last_success: 0,
    last_attempt: 0,
    last_error: null,
    last_reason: null,
    next_attempt: 0,
    gone_at: 0,
  },
};
const FAILED = {
  ...{ last_attempt: NOW_S - MINUTE_S, last_error: 'connection refused' },
  last_reason: { code: 'CONNECTION_REFUSED' },
} as const;

void t.test('how sending goes', async (t) => {
  for (const { name, given, going, words } of [
    { name: 'a new one', given: {}, going: 'untried', words: ['Nothing sent since Swarmd started.'] },
    { name: 'one that works', given: { last_success: NOW_S }, going: 'well', words: ['Last delivered: 12:00'] },
    {
      name: 'one that is behind',
      given: { last_success: NOW_S, pending: 1 },
      going: 'well',
      words: ['1 message is waiting.', 'Last delivered: 12:00'],
    },
    {
      name: 'one that fails',
      given: { ...FAILED, pending: 2, next_attempt: NOW_S + MINUTE_S, last_success: NOW_S - 24 * 60 * MINUTE_S },
      going: 'failing',
      words: [
        'Last attempt failed (11:59): Connection refused',
        '2 messages are waiting. Next attempt: 12:01',
        'Last delivered: 5 May, 12:00',
      ],
    },
    {
      name: 'one that was turned off while it failed',
      given: { ...FAILED, enabled: false, dropped: 3 },
      going: 'off',
      words: [
        'Turned off. What happens meanwhile is not sent later.',
        '3 messages were discarded since Swarmd started.',
      ],
    },
    {
      name: 'one that its receiver ended',
      given: { enabled: false, gone_at: NOW_S, last_error: 'Delivery failed: HTTP 410' },
      going: 'off',
      words: ['Turned off by the receiver (12:00): it answered HTTP 410, which means that it wants no more messages.'],
    },
  ]) {
    const webhook: WebhookDto = { ...NEW, ...given };
    t.equal(goingOf(webhook), going, name);
    t.same(sendingWords(webhook, NOW_MS), words, name);
  }
});

void t.test('why a message did not arrive', async (t) => {
  for (const [status, words] of [
    [302, 'HTTP 302: the receiver redirects to another URL. Enter that one.'],
    [403, /^HTTP 403: the receiver does not allow it/],
    [404, /nothing at this URL/],
    [410, /no more messages/],
    [429, /too many requests/],
    [503, /the receiver failed/],
    [400, /^HTTP 400: the receiver did not accept/],
  ] as const) {
    const said = `webhook: Delivery failed: HTTP ${status}`;
    t.match(failureWords(said, { code: 'HTTP_STATUS', data: { status } }), words, said);
  }
  t.equal(failureWords('webhook: host name not found', { code: 'HOST_NOT_FOUND' }), 'Host not found');
  t.equal(failureWords('its account is disabled', {}), 'Its account is disabled');
});

void t.test('the message that is shown is one that is sent', async (t) => {
  const torrent = { ...FACTS, ownerId: ADMIN_ACCOUNT_ID, hasMetadata: true, library: NEW_LIBRARY_RECORD };
  const event = { event: 'completed' as const, torrent: { ...torrent, completedAt: 1, error: null } };
  const labels = { category: () => undefined, tag: () => undefined };
  const sent = JSON.parse(messageText(event, NOW_MS, labels)) as typeof SAMPLE;
  t.same(Object.keys(SAMPLE), Object.keys(sent));
  t.same(Object.keys(SAMPLE.data), Object.keys(sent.data));
  t.equal(SAMPLE.type, sent.type);
});
