// Whose move is next: one onto each device, accounts in turn.
import t from 'tap';
import { MoveQueue } from '../../../../engine/session/move-queue.js';
import type { MovedTorrent } from '../../../../engine/torrent/session-interface.js';
import { parseAccountId } from '../../../../shared-protocol/ids.js';

/** Torrents are told by account and device, as `1a`; each goes on until its end is called. */
function setScene() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const queue = new MoveQueue((savePath) => savePath.charCodeAt(0));
  const add = (name: string): MovedTorrent => {
    const torrent = {
      ownerId: parseAccountId(Number(name[0])),
      moveTarget: name[1]!,
      isRenaming: name.endsWith('r'),
      runMove: () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
    };
    queue.add(torrent);
    return torrent;
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, begun, add, end };
}

void t.test('renames wait for each other only', async (t) => {
  const { begun, add, end } = setScene();
  for (const name of ['1a1', '1a2r', '2a3r', '1a4']) add(name);
  t.same(begun, ['1a1', '1a2r']);
  await end('1a2r');
  t.same(begun, ['1a1', '1a2r', '2a3r']);
  await end('1a1');
  t.same(begun, ['1a1', '1a2r', '2a3r', '1a4']);
});

void t.test('one at a time onto each device', async (t) => {
  const { begun, add, end } = setScene();
  for (const name of ['1a1', '1a2', '1b1']) add(name);
  t.same(begun, ['1a1', '1b1']);
  await end('1b1');
  t.same(begun, ['1a1', '1b1']);
  await end('1a1');
  t.same(begun, ['1a1', '1b1', '1a2']);
});

void t.test('who moves much makes others wait for one', async (t) => {
  const { begun, add, end } = setScene();
  for (const name of ['1a1', '1a2', '1a3', '2a1', '2a2']) add(name);
  for (const name of ['1a1', '1a2', '2a1', '1a3']) await end(name);
  t.same(begun.slice(0, 2), ['1a1', '1a2'], 'alone when it began');
  t.same(begun, ['1a1', '1a2', '2a1', '1a3', '2a2']);
});

void t.test('who leaves is not begun; nobody is after the end', async (t) => {
  const { queue, begun, add, end } = setScene();
  add('1a1');
  queue.remove(add('1a2'));
  add('1a3');
  await end('1a1');
  t.same(begun, ['1a1', '1a3']);
  add('1a4');
  const closing = queue.close();
  await end('1a3');
  await closing;
  t.same(begun, ['1a1', '1a3']);
});
