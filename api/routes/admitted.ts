// A request that has been let in, as inputs and handlers are given it.
import type { IncomingMessage } from 'node:http';
import type { AddingBody } from '../../shared-protocol/dto/adding.js';
import type { ImportArchiveDto } from '../../shared-protocol/dto/import-archives.js';
import type { Principal } from '../auth/authenticate.js';
import type { ClientAddress } from '../auth/client-address.js';
import type { Services } from './services.js';

/** A torrent file, and the fields that came with it. */
export interface Upload extends AddingBody {
  readonly file: Uint8Array;
}

export interface Admitted {
  readonly services: Services;
  readonly client: ClientAddress;
  readonly principal: Principal | null;
  readonly request: IncomingMessage;
  /** The texts that stand for the `{…}` of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  /** Undefined for none, and for uploads. */
  readonly body: Buffer | undefined;
  /** Null for everything else. */
  readonly upload: Upload | null;
  /** The part that was received; null for everything else. */
  readonly archive: ImportArchiveDto | null;
}
