// Queries of a database. Owns: one that fails is an AppError that names the database and what was wrong.
import { DatabaseError, type ClientBase, type Pool, type QueryResultRow } from 'pg';
import { AppError, type ErrorData } from '../../shared-protocol/errors.js';

/** @throws AppError `STORAGE_FAILED` */
export type Query = <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** SQLSTATE of PostgreSQL, appendix A: disk_full. */
const DISK_FULL = '53100';

/** `name`: of the database, in messages. */
export function queryOn(name: string, connection: Pool | ClientBase): Query {
  return async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) => {
    try {
      return (await connection.query<Row>(text, [...values])).rows;
    } catch (cause) {
      throw databaseFailure(name, cause);
    }
  };
}

/** The error of a database for whatever pg threw. A disk that is full is `errno: ENOSPC`, as with the other stores. */
export function databaseFailure(name: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message || codeOf(cause) : String(cause);
  return new AppError('STORAGE_FAILED', `storage: ${name}: ${reason}`, factsOf(cause), { cause });
}

function factsOf(cause: unknown): ErrorData {
  if (!(cause instanceof DatabaseError)) return {};
  return { sqlstate: cause.code ?? null, ...(cause.code === DISK_FULL && { errno: 'ENOSPC' }) };
}

/** Node's error of a host with several addresses has no message. */
function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}
