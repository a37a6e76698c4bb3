// Asks the server for the rates that it has kept.
import type { RatesDto } from '../../../../shared-protocol/dto/rates.js';
import { ApiError, call } from '../net/http.js';
import { bySecond, type PastRate } from './past-rates.js';

/** Returns nothing where nothing is told: a graph begins empty then. */
export async function fetchPastRates(path: string): Promise<readonly PastRate[]> {
  try {
    return bySecond(await call<RatesDto>('GET', path), Math.round(Date.now() / 1000));
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}
