// Which remotes are connected to: those that are stored, as they are stored, whoever of several fronts has changed them.
import { EventEmitter } from 'node:events';
import t, { type Test } from 'tap';
import type { WebSocket } from 'ws';
import { NO_REMOTES, remotesSchema } from '../../../../../api/services/remotes/remote-records.js';
import { Remotes } from '../../../../../api/services/remotes/remotes.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const ADMIN = parseAccountId(1);

/** A connection of which nothing is heard. */
class QuietSocket extends EventEmitter {
  isOpen = true;
  readonly isPaused = false;

  constructor(readonly key: string) {
    super();
  }

  pause(): void {}
  resume(): void {}
  ping(): void {}
  terminate(): void {
    this.isOpen = false;
    this.emit('close');
  }
}

function start(t: Test) {
  const collection = new MemoryCollection(NO_REMOTES, (data) => remotesSchema.parse(data));
  const clock = new VirtualClock();
  const sockets: QuietSocket[] = [];
  const remotes = new Remotes({
    ...{ collection, clock, random: () => 0.5, log: SILENT_LOG, isAccount: () => true },
    egress: {
      check: () => Promise.resolve(),
      ask: () => Promise.reject(new Error('not asked')),
      listen: (_url, { headers }) => {
        const socket = new QuietSocket(headers['authorization']!.replace('Bearer ', ''));
        sockets.push(socket);
        return Promise.resolve(socket as unknown as WebSocket);
      },
    },
  });
  remotes.start();
  t.teardown(() => remotes.stop());
  const create = (name: string) =>
    remotes.create(ADMIN, { name, url: `http://${name}`, api_key: `key of ${name}`, tls: 'verify', enabled: true });
  /** Keys of the connections that are open. */
  const open = async () => {
    await clock.settle();
    return sockets.filter(({ isOpen }) => isOpen).map(({ key }) => key);
  };
  return { collection, remotes, sockets, create, open };
}

void t.test('a key that is changed is used at once; another name changes no connection', async (t) => {
  const { remotes, sockets, create, open } = start(t);
  const id = await create('one');
  t.same(await open(), ['key of one']);
  await remotes.change(ADMIN, id, { name: 'uno' });
  t.same([await open(), sockets.length], [['key of one'], 1]);
  await remotes.change(ADMIN, id, { api_key: 'new key' });
  t.same(await open(), ['new key']);
  await remotes.remove(id);
  t.same(await open(), []);
});

void t.test('one that is removed while it is being changed is not connected to again', async (t) => {
  const { remotes, create, open } = start(t);
  const id = await create('one');
  t.same(await open(), ['key of one']);
  await Promise.all([remotes.change(ADMIN, id, { api_key: 'new key' }), remotes.remove(id)]);
  t.same(await open(), []);
});

void t.test('one that is changed twice is connected to as it was changed last, once', async (t) => {
  const { remotes, create, open } = start(t);
  const id = await create('one');
  await Promise.all(['second key', 'last key'].map((api_key) => remotes.change(ADMIN, id, { api_key })));
  t.same(await open(), ['last key']);
});

void t.test('what another front adds, changes and removes is followed', async (t) => {
  const { collection, sockets, create, open } = start(t);
  const [one, two] = [await create('one'), await create('two')];
  const added = { ...collection.data.remotes[0]!, id: 3, name: 'three', api_key: 'key of three' };
  await collection.updateElsewhere((data) => void data.remotes.push(added));
  t.same(await open(), ['key of one', 'key of two', 'key of three']);
  await collection.updateElsewhere(({ remotes }) => void Object.assign(remotes[1]!, { id: two, api_key: 'new key' }));
  t.same(await open(), ['key of one', 'key of three', 'new key']);
  await collection.updateElsewhere(({ remotes }) => void Object.assign(remotes[2]!, { enabled: false }));
  t.same(await open(), ['key of one', 'new key']);
  await collection.updateElsewhere((data) => void (data.remotes = data.remotes.filter(({ id }) => id !== one)));
  t.same([await open(), sockets.length], [['new key'], 4], 'of the others nothing was renewed');
});
