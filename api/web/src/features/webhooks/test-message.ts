// A test message on its way to a webhook, and what the receiver answered.
import type { WebhookDto, WebhookTestDto } from '../../../../../shared-protocol/dto/webhooks.js';
import { ApiError, call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { failureWords } from './failure-words.js';

/** Status of a request that reached the server, while the receiver did not take the message. */
const NOT_TAKEN = 502;

export interface Tried {
  /** Where it was sent. */
  readonly url: string;
  readonly isTaken: boolean;
  readonly words: string;
}

/** Never rejects for what the server or the receiver says. */
export async function sendTest({ id, url }: WebhookDto): Promise<Tried> {
  try {
    const { status } = await call<WebhookTestDto>('POST', `/api/webhooks/${id}/test`);
    return { url, isTaken: true, words: t('webhooks.taken', { status: String(status) }) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const reason = failureWords(error.said, error.reason);
    return { url, isTaken: false, words: error.status === NOT_TAKEN ? t('webhooks.notTaken', { reason }) : reason };
  }
}
