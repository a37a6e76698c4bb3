// The thread that keeps the lists of remotes: a message of a hundred thousand torrents takes a second to be understood.
import { parentPort } from 'node:worker_threads';
import { AppError, messageOf } from '../../../shared-protocol/errors.js';
import { hasMoreValuesThan } from './json-values.js';
import { RemoteList } from './remote-list.js';
import type { ListCall, ListReply } from './remote-lists.js';

const lists = new Map<number, RemoteList>();
/** A revision that no thread before this one has given out. */
const firstRevision = Date.now();

/** Values of a message: 100,000 torrents have half as many; at most 800 MB of memory. */
const MAX_VALUES = 8_000_000;
const MIB = 1024 * 1024;
/** Characters of a list: 250,000 torrents with usual names. */
const MAX_CHARS_OF_LIST = 256 * MIB;
/** Characters of all lists together: half of what the thread may have. */
const MAX_CHARS = 1024 * MIB;

const TOO_LARGE = 'its list is too large';

function charsOf(all: Iterable<RemoteList>): number {
  let chars = 0;
  for (const list of all) chars += list.chars;
  return chars;
}

function answer(call: ListCall): ListReply {
  switch (call.kind) {
    case 'take': {
      const known = lists.get(call.serverId);
      const list = known ?? new RemoteList(call.serverId, firstRevision);
      if (hasMoreValuesThan(MAX_VALUES, call.bytes)) throw new Error(TOO_LARGE);
      list.take(Buffer.from(call.bytes.buffer, call.bytes.byteOffset, call.bytes.length).toString());
      lists.set(call.serverId, list);
      if (list.chars > MAX_CHARS_OF_LIST) {
        lists.delete(call.serverId);
        throw new Error(TOO_LARGE);
      }
      if (charsOf(lists.values()) > MAX_CHARS) {
        lists.delete(call.serverId);
        throw new Error('the lists of all servers together are too large');
      }
      return { torrents: list.size };
    }
    case 'read':
      return { parts: call.serverIds.map((id) => new Uint8Array(lists.get(id)?.bytes ?? [])) };
    case 'changes': {
      const known = [...call.since].filter(([id]) => lists.has(id));
      return { changes: new Map(known.map(([id, since]) => [id, lists.get(id)!.changesSince(since)])) };
    }
    case 'find':
      return { torrent: lists.get(call.serverId)?.find(call.infohash) ?? null };
    case 'forget':
      lists.delete(call.serverId);
      return {};
  }
}

/** The memory of what is answered, which goes over without being copied. */
function bytesIn({ parts = [], changes }: ListReply): ArrayBuffer[] {
  const changed = [...(changes?.values() ?? [])].map(({ bytes }) => bytes);
  return [...parts, ...changed].map(({ buffer }) => buffer as ArrayBuffer);
}

if (!parentPort) throw new AppError('BUG', 'bug: list-worker.js is a thread');
const port = parentPort;
port.on('message', ({ id, call }: { readonly id: number; readonly call: ListCall }) => {
  try {
    const reply = answer(call);
    port.postMessage({ id, reply }, bytesIn(reply));
  } catch (error) {
    port.postMessage({ id, error: messageOf(error) });
  }
});
