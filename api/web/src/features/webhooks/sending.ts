// How sending to a webhook goes, as people read it: what arrived last, what failed and why, what waits, who turned it off.
// Pure.
import type { WebhookDto } from '../../../../../shared-protocol/dto/webhooks.js';
import { recentTime } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { failureWords } from './failure-words.js';

/** `untried`: nothing has been sent since the service started. */
export type Going = 'off' | 'failing' | 'well' | 'untried';

export function goingOf({ enabled, last_error, last_success }: WebhookDto): Going {
  if (!enabled) return 'off';
  if (last_error !== null) return 'failing';
  return last_success === 0 ? 'untried' : 'well';
}

/** The most urgent first. */
export function sendingWords(webhook: WebhookDto, nowMs: number): readonly string[] {
  return [
    ...stateWords(webhook, nowMs),
    ...waitingWords(webhook, nowMs),
    ...(webhook.last_success === 0 ? [] : [t('webhooks.delivered', { time: recentTime(webhook.last_success, nowMs) })]),
    ...(webhook.dropped === 0 ? [] : [t('webhooks.dropped', { count: webhook.dropped })]),
  ];
}

function stateWords(webhook: WebhookDto, nowMs: number): readonly string[] {
  const { gone_at, last_attempt, last_error, last_reason } = webhook;
  switch (goingOf(webhook)) {
    case 'off':
      return [gone_at === 0 ? t('webhooks.off') : t('webhooks.gone', { time: recentTime(gone_at, nowMs) })];
    case 'failing': {
      const reason = failureWords(last_error ?? '', last_reason ?? {});
      return [t('webhooks.failed', { time: recentTime(last_attempt, nowMs), reason })];
    }
    case 'untried':
      return [t('webhooks.never')];
    case 'well':
      return [];
  }
}

function waitingWords({ pending, next_attempt, last_error }: WebhookDto, nowMs: number): readonly string[] {
  if (pending === 0) return [];
  // One that does not fail is sent at once.
  if (last_error === null) return [t('webhooks.waiting', { count: pending })];
  return [t('webhooks.waitingUntil', { count: pending, time: recentTime(next_attempt, nowMs) })];
}
