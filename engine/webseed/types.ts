// What a web seed's socket needs of HTTP.
import type { TargetAccess } from '../net/judge-target.js';

/** Part of a file, as HTTP counts: both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
  /** Length of the whole file. */
  readonly fileBytes: number;
}

export type RangeAnswer =
  /** Exactly the range; iterating throws {@link SeedFailure} when it turns out shorter or longer, or breaks off. */
  { readonly kind: 'body'; readonly chunks: AsyncIterable<Uint8Array> } | RangeRefusal;

export type RangeRefusal =
  | { readonly kind: 'failed'; readonly reason: string }
  /** The server is busy and says for how long. */
  | { readonly kind: 'retry-after'; readonly seconds: number; readonly reason: string };

/** The requests of one web seed, one at a time; names are resolved once and connections kept between them. */
export interface RangeClient {
  /** Never rejects. `signal` also ends the body. */
  get(url: URL, range: ByteRange, signal: AbortSignal): Promise<RangeAnswer>;
  /** Ends what is under way. */
  close(): void;
}

export interface WebSeedHttp {
  newClient(userAgent: string, access: TargetAccess): RangeClient;
}

/** Why a seed's answer is of no use; the message is for people. */
export class SeedFailure extends Error {}
