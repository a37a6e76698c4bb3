// Why something of another program cannot be taken, in words for who imports.
import { AppError } from '../../../shared-protocol/errors.js';
import { RequestError } from '../../errors.js';

export function reasonOf(error: unknown): string {
  if (error instanceof RequestError)
    return error.code === 'FORBIDDEN' ? 'save_path: not a place where it may be saved' : error.message;
  if (error instanceof AppError && error.code !== 'BUG') return error.message;
  return 'internal error';
}
