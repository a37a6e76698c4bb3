// Why something of another program cannot be taken, for who imports.
import { AppError } from '../../../shared-protocol/errors.js';
import { remark, type Remark } from '../../../shared-protocol/import-remarks/remark.js';
import { reasonIn } from '../../../shared-protocol/reasons.js';
import { RequestError } from '../../errors.js';
import { UnreadableState } from './state-directory.js';

export function reasonOf(error: unknown): Remark {
  if (error instanceof UnreadableState) return error.remark;
  if (error instanceof RequestError)
    return error.code === 'FORBIDDEN' ? remark('SAVE_PATH_FORBIDDEN') : asRefused(error.message, error.data);
  if (error instanceof AppError && error.code !== 'BUG') return asRefused(error.message, error.data);
  return remark('INTERNAL_ERROR');
}

/** `data`: of the error, which may have a reason among them. */
function asRefused(text: string, data: AppError['data']): Remark {
  const reason = reasonIn(data);
  return { code: 'AS_REFUSED', data: { text, ...(reason && { reason: reason.code, facts: reason.data ?? {} }) } };
}
