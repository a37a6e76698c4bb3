// The parts of the listener that the compatible interfaces share with the service's own: whose turn it is, who may send
// a body, and whose connections are to be kept.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { HttpPolicy } from '../auth/http-policy.js';
import type { Log } from '../logging.js';
import type { Services } from '../routes/services.js';

/** A body while it comes: on disk once it is long. */
export interface SpooledFile {
  readonly length: number;
  append(chunk: Uint8Array): Promise<void>;
  whole(): Promise<Uint8Array>;
  discard(): Promise<void>;
}

export interface BodyReception {
  spooled(): SpooledFile;
  receive<Result>(
    kind: 'upload' | 'json' | 'stranger',
    source: string,
    request: IncomingMessage,
    read: () => Promise<Result>,
  ): Promise<Result>;
}

export interface CompatibleDeps {
  readonly services: Services;
  readonly policy: HttpPolicy;
  readonly queue: { run<Result>(account: AccountId, work: () => Promise<Result>, bodyBytes?: number): Promise<Result> };
  readonly bodies: BodyReception;
  readonly connections: { vouch(socket: Socket): void };
  readonly log: Log;
}
