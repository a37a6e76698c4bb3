// KRPC messages of BEP 5, from bytes and back. What does not have the shape that the BEP gives it is refused here, and
// only known fields are written again: the package behind it decodes recursively and trusts what it finds.
import bencode from 'bencode';
import {
  asBytes,
  asDictionary,
  asInteger,
  asList,
  decodeBencode,
  type BencodeDictionary,
  type BencodeLimits,
  type BencodeValue,
} from '../metainfo/index.js';
import {
  COMPACT_NODE_BYTES,
  COMPACT_PEER_BYTES,
  NODE_ID_BYTES,
  TOKEN_MAX_BYTES,
  TRANSACTION_MAX_BYTES,
} from './constants.js';

export type KrpcArguments =
  | { readonly method: 'ping' }
  | { readonly method: 'find_node'; readonly target: Uint8Array }
  | { readonly method: 'get_peers'; readonly infoHash: Uint8Array }
  | {
      readonly method: 'announce_peer';
      readonly infoHash: Uint8Array;
      readonly port: number;
      /** The port that counts is the one the datagram came from. */
      readonly impliedPort: boolean;
      readonly token: Uint8Array;
    };

export interface KrpcQuery {
  readonly kind: 'query';
  readonly transaction: Uint8Array;
  readonly id: Uint8Array;
  /** BEP 43: the sender answers no queries. */
  readonly readOnly: boolean;
  readonly arguments: KrpcArguments;
}

export interface KrpcReply {
  readonly kind: 'reply';
  readonly transaction: Uint8Array;
  readonly id: Uint8Array;
  /** Compact node info, whole entries only. */
  readonly nodes: Uint8Array;
  /** Compact peers of six bytes. */
  readonly values: readonly Uint8Array[];
  readonly token: Uint8Array | null;
}

export interface KrpcError {
  readonly kind: 'error';
  readonly transaction: Uint8Array;
  readonly code: number;
  readonly message: string;
}

export type KrpcMessage = KrpcQuery | KrpcReply | KrpcError;
export type ParsedDatagram = KrpcMessage | { readonly kind: 'malformed' } | { readonly kind: 'unknownQuery' };

const MALFORMED = { kind: 'malformed' } as const;
const UNKNOWN_QUERY = { kind: 'unknownQuery' } as const;
const NOTHING = new Uint8Array(0);
/** Longest text of an error; it is only ever read by people. */
const MAX_ERROR_BYTES = 100;
const UNPRINTABLE = /[^\x20-\x7e]/g;

/** Never throws. */
export function parseKrpc(bytes: Uint8Array, limits: BencodeLimits): ParsedDatagram {
  let message: BencodeDictionary | null;
  try {
    message = asDictionary(decodeBencode(bytes, limits));
  } catch {
    return MALFORMED;
  }
  const transaction = asBytes(message?.get('t'));
  if (!message || !transaction || transaction.length < 1 || transaction.length > TRANSACTION_MAX_BYTES) {
    return MALFORMED;
  }
  switch (word(message.get('y'))) {
    case 'q':
      return parseQuery(message, transaction);
    case 'r':
      return parseReply(message, transaction);
    case 'e':
      return parseError(message, transaction);
    default:
      return MALFORMED;
  }
}

/**
 * `senderId` null leaves the id of a query's sender out; `seenAs` is BEP 42's `ip` of a reply: the node that we answer,
 * as a compact address.
 */
export function encodeKrpc(
  message: KrpcMessage,
  { senderId, seenAs }: { senderId?: null; seenAs?: Uint8Array } = {},
): Buffer {
  const t = message.transaction;
  switch (message.kind) {
    case 'query': {
      const { method, ...rest } = argumentFields(message.arguments);
      const id = senderId === null ? undefined : message.id;
      return asBuffer(bencode.encode({ t, y: 'q', q: method, a: { id, ...rest } }));
    }
    case 'reply': {
      const { id, nodes, values, token } = message;
      const r = {
        id,
        nodes: nodes.length > 0 ? nodes : undefined,
        values: values.length > 0 ? values : undefined,
        token: token ?? undefined,
      };
      return asBuffer(bencode.encode({ ip: seenAs, t, y: 'r', r }));
    }
    case 'error':
      return asBuffer(bencode.encode({ ip: seenAs, t, y: 'e', e: [message.code, message.message] }));
  }
}

function argumentFields(query: KrpcArguments): { method: string; [key: string]: string | number | Uint8Array } {
  switch (query.method) {
    case 'ping':
    case 'find_node':
      return { ...query };
    case 'get_peers':
      return { method: query.method, info_hash: query.infoHash };
    case 'announce_peer':
      return {
        method: query.method,
        info_hash: query.infoHash,
        port: query.port,
        implied_port: query.impliedPort ? 1 : 0,
        token: query.token,
      };
  }
}

function parseQuery(message: BencodeDictionary, transaction: Uint8Array): ParsedDatagram {
  const given = asDictionary(message.get('a'));
  const id = hash(given?.get('id'));
  const method = word(message.get('q'));
  if (!given || !id || method === null) return MALFORMED;
  if (!isOffered(method)) return UNKNOWN_QUERY;
  const parsed = parseArguments(method, given);
  if (!parsed) return MALFORMED;
  return { kind: 'query', transaction, id, readOnly: asInteger(message.get('ro')) === 1, arguments: parsed };
}

function parseArguments(method: KrpcArguments['method'], given: BencodeDictionary): KrpcArguments | null {
  switch (method) {
    case 'ping':
      return { method };
    case 'find_node': {
      const target = hash(given.get('target'));
      return target && { method, target };
    }
    case 'get_peers': {
      const infoHash = hash(given.get('info_hash'));
      return infoHash && { method, infoHash };
    }
    case 'announce_peer': {
      const infoHash = hash(given.get('info_hash'));
      const token = shortBytes(given.get('token'));
      const impliedPort = (asInteger(given.get('implied_port')) ?? 0) !== 0;
      const port = asInteger(given.get('port')) ?? 0;
      if (!infoHash || !token || (!impliedPort && !isPort(port))) return null;
      return { method, infoHash, token, impliedPort, port: isPort(port) ? port : 0 };
    }
  }
}

function parseReply(message: BencodeDictionary, transaction: Uint8Array): ParsedDatagram {
  const given = asDictionary(message.get('r'));
  const id = hash(given?.get('id'));
  if (!given || !id) return MALFORMED;
  const nodes = asBytes(given.get('nodes')) ?? NOTHING;
  const values = (asList(given.get('values')) ?? [])
    .map(asBytes)
    // Some nodes answer with IPv6 peers of 18 bytes, or with all peers in one string; neither is BEP 5.
    .filter((value): value is Uint8Array => value?.length === COMPACT_PEER_BYTES);
  return {
    kind: 'reply',
    transaction,
    id,
    nodes: nodes.subarray(0, nodes.length - (nodes.length % COMPACT_NODE_BYTES)),
    values,
    token: shortBytes(given.get('token')),
  };
}

function parseError(message: BencodeDictionary, transaction: Uint8Array): ParsedDatagram {
  const [code, text] = asList(message.get('e')) ?? [];
  const given = asBytes(text)?.subarray(0, MAX_ERROR_BYTES) ?? NOTHING;
  const printable = asBuffer(given).toString('latin1').replace(UNPRINTABLE, '?');
  return { kind: 'error', transaction, code: asInteger(code) ?? 0, message: printable };
}

function isOffered(method: string): method is KrpcArguments['method'] {
  return method === 'ping' || method === 'find_node' || method === 'get_peers' || method === 'announce_peer';
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

function hash(value: BencodeValue | undefined): Uint8Array | null {
  const bytes = asBytes(value);
  return bytes?.length === NODE_ID_BYTES ? bytes : null;
}

function shortBytes(value: BencodeValue | undefined): Uint8Array | null {
  const bytes = asBytes(value);
  return bytes && bytes.length > 0 && bytes.length <= TOKEN_MAX_BYTES ? bytes : null;
}

function word(value: BencodeValue | undefined): string | null {
  const bytes = asBytes(value);
  return bytes && bytes.length <= 20 ? asBuffer(bytes).toString('latin1') : null;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
