// Where a database is and how it is spoken to: what a connection string says, and the bounds of each connection. Owns how a
// database is named in messages, which is never with a password or any part of one.
import { Client, type ClientConfig } from 'pg';
import { AppError } from '../../shared-protocol/errors.js';

const SECOND_MS = 1_000;

/** A database that does not answer within this counts as away. */
const CONNECT_TIMEOUT_MS = 5 * SECOND_MS;
/** For one query, the wait for a row that another front has locked included. */
const QUERY_TIMEOUT_MS = 10 * SECOND_MS;
/** A front that stands still, or is cut off, in the middle of a change keeps the row from the others for no longer. */
const IDLE_IN_TRANSACTION_MS = 5 * SECOND_MS;

/** Neither `@` nor `#` follows host and port: where one does, a password was not escaped, and would be read as a name. */
const CONNECTION_STRING = /^postgres(?:ql)?:\/\/[^/?#]*(?:[/?][^@#]*)?$/;
/** A database that can be connected to. */
export interface Address {
  /** The name of the database in messages. */
  readonly name: string;
  readonly config: ClientConfig;
}

/** Reads `postgres://user:password@host:port/database`, with the parameters that pg knows. @throws AppError `STORAGE_FAILED` */
export function parseConnectionString(text: string): Address {
  const config: ClientConfig = {
    connectionString: text,
    application_name: 'swarmd',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
  const client = CONNECTION_STRING.test(text) ? clientOf(config) : null;
  // The error of a text that cannot be read repeats it.
  if (!client)
    throw new AppError('STORAGE_FAILED', 'storage: the connection string is not postgres://user@host/database');
  const at = client.host.startsWith('/') ? client.host : `${client.host}:${client.port}`;
  return { name: `PostgreSQL database ${client.database} at ${at}`, config };
}

function clientOf(config: ClientConfig): Client | null {
  try {
    return new Client(config);
  } catch {
    return null;
  }
}
