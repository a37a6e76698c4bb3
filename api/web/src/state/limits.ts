// The speed limits and which of them hold now.
import type { LimitsDto, LimitsInForceDto } from '../../../../shared-protocol/dto/settings.js';
import { call } from '../net/http.js';
import { createFetched } from './fetched.js';

export const limits = createFetched<LimitsDto>('/api/settings/limits');
export const limitsInForce = createFetched<LimitsInForceDto>('/api/settings/limits_in_force');

/** @throws ApiError */
export async function toggleAltSpeed(): Promise<void> {
  await call('POST', '/api/settings/alt_speed/toggle');
  await Promise.all([limits.reload(), limitsInForce.reload()]);
}
