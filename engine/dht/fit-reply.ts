// How much of a reply is sent: never more than the caps, and never more bytes than allowed. The package answers with
// its whole table and all peers it has; both come in an order whose beginning is as good as any part.
import { COMPACT_NODE_BYTES, REPLY_MAX_NODES, REPLY_MAX_VALUES } from './constants.js';
import { encodeKrpc, type KrpcReply } from './krpc-message.js';

/** `6:` and a compact peer. */
const VALUE_BYTES = 8;

/** The reply's bytes, at most `maxBytes`; null when not even its fixed part fits. */
export function fitReply(reply: KrpcReply, seenAs: Uint8Array, maxBytes: number): Buffer | null {
  let values = reply.values.slice(0, REPLY_MAX_VALUES);
  let nodes = reply.nodes.subarray(0, REPLY_MAX_NODES * COMPACT_NODE_BYTES);
  for (;;) {
    const bytes = encodeKrpc({ ...reply, values, nodes }, { seenAs });
    const excess = bytes.length - maxBytes;
    if (excess <= 0) return bytes;
    if (values.length > 0) {
      values = values.slice(0, -Math.ceil(excess / VALUE_BYTES));
    } else if (nodes.length > 0) {
      const drop = Math.ceil(excess / COMPACT_NODE_BYTES) * COMPACT_NODE_BYTES;
      nodes = nodes.subarray(0, Math.max(0, nodes.length - drop));
    } else {
      return null;
    }
  }
}
