// Asks the server for the rates that it has kept.
import type { RatesDto } from '../../../../shared-protocol/dto/rates.js';
import { ApiError, call } from '../net/http.js';
import { bySecond, type PastRate } from './past-rates.js';

/** Returns nothing where nothing is told: a graph begins empty then. */
export async function fetchPastRates(path: string): Promise<readonly PastRate[]> {
  const rates = await fetchRates(path);
  return rates ? bySecond(rates, Math.round(Date.now() / 1000)) : [];
}

/** The same in the steps of the answer; null where nothing is told. */
export async function fetchRates(path: string): Promise<RatesDto | null> {
  try {
    return await call<RatesDto>('GET', path);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
