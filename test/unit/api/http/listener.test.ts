// The moving listener on a machine of memory, on which ports are free or taken.
import t from 'tap';
import type { HttpServer, ListenAddress } from '../../../../api/http/server.js';
import { Listener } from '../../../../api/http/listener.js';
import type { ListenSettings } from '../../../../api/http/listener-plan.js';
import { AppError } from '../../../../shared-protocol/errors.js';
import { SILENT_LOG } from '../../../support/api-harness.js';

const STORED: ListenSettings = { enabled: true, port: 9480, bind_all: false };
const ALL: ListenSettings = { ...STORED, bind_all: true };

/** Which sockets are bound; a socket of all interfaces is in the way of every other of its port. */
class Machine {
  readonly bound = new Set<string>();
  readonly taken = new Set<string>();
  readonly events: string[] = [];
  #free = 50_000;

  readonly open = async ({ host, port }: ListenAddress): Promise<HttpServer> => {
    const real = port || this.#free++;
    const name = `${host ?? '*'}:${real}`;
    const isInTheWay = [...this.bound].some((other) => other.endsWith(`:${real}`));
    if (this.taken.has(name) || isInTheWay) {
      throw new AppError('LISTEN_FAILED', 'taken', undefined, {
        cause: Object.assign(new Error('taken'), { code: 'EADDRINUSE' }),
      });
    }
    this.bound.add(name);
    this.events.push(`open ${name}`);
    return {
      url: `http://${host ?? '127.0.0.1'}:${real}`,
      address: { host, port: real },
      close: async () => {
        this.bound.delete(name);
        this.events.push(`close ${name}`);
      },
    };
  };
}

async function start(mayStop = false) {
  const machine = new Machine();
  const urls: string[] = [];
  const listener = new Listener(
    {
      open: machine.open,
      dropSockets: () => machine.events.push('drop'),
      onMoved: async (url) => void urls.push(url),
      log: SILENT_LOG,
    },
    { mayStop },
  );
  await listener.start({ host: '127.0.0.1', port: 9480 });
  machine.events.length = 0;
  return { machine, listener, urls };
}

void t.test('to another port: both are open until it is committed', async (t) => {
  const { machine, listener, urls } = await start();
  const move = await listener.prepare(STORED, { ...STORED, port: 9000 });
  t.equal(listener.url, 'http://127.0.0.1:9480');
  t.same([...machine.bound], ['127.0.0.1:9480', '127.0.0.1:9000']);
  t.same(await move?.commit(), { kind: 'moved' });
  t.same(machine.events, ['open 127.0.0.1:9000', 'drop', 'close 127.0.0.1:9480']);
  t.same([listener.url, ...urls], ['http://127.0.0.1:9000', 'http://127.0.0.1:9000']);
});

void t.test('given up: the new one is closed, nobody is dropped', async (t) => {
  const { machine, listener, urls } = await start();
  await (await listener.prepare(STORED, { ...STORED, port: 9000 }))?.abandon();
  t.same([machine.events, urls], [['open 127.0.0.1:9000', 'close 127.0.0.1:9000'], []]);
});

void t.test('a port that is taken is the client’s to hear', async (t) => {
  const { machine, listener } = await start();
  machine.taken.add('127.0.0.1:9000');
  await t.rejects(listener.prepare(STORED, { ...STORED, port: 9000 }), {
    code: 'PORT_UNUSABLE',
    message: 'port: in use by another program',
  });
  t.same([listener.url, machine.events], ['http://127.0.0.1:9480', []]);
});

void t.test('to all interfaces: the old one is in the way', async (t) => {
  const { machine, listener } = await start();
  const move = await listener.prepare(STORED, ALL);
  t.same(machine.events, [], 'nothing before it is committed');
  t.same(await move?.commit(), { kind: 'moved' });
  t.same(machine.events, ['drop', 'close 127.0.0.1:9480', 'open *:9480']);
});

void t.test('back again when all interfaces cannot be had, or anywhere at all', async (t) => {
  const { machine, listener, urls } = await start();
  machine.taken.add('*:9480');
  t.same(await (await listener.prepare(STORED, ALL))?.commit(), { kind: 'went-back' });
  t.same([listener.url, [...machine.bound]], ['http://127.0.0.1:9480', ['127.0.0.1:9480']]);
  machine.taken.add('127.0.0.1:9480');
  t.same(await (await listener.prepare(STORED, ALL))?.commit(), { kind: 'went-back' });
  t.match(listener.url, 'http://127.0.0.1:50');
  t.equal(urls.at(-1), listener.url);
});

void t.test('the desktop stops, and starts again by setting or by need', async (t) => {
  const { machine, listener, urls } = await start(true);
  const off = { ...STORED, enabled: false };
  await (await listener.prepare(STORED, off))?.commit();
  t.same([listener.url, [...machine.bound], urls], ['', [], ['']]);
  await (await listener.prepare(off, STORED))?.commit();
  t.equal(listener.url, 'http://127.0.0.1:9480');
  await listener.startAgain(STORED);
  t.equal(machine.bound.size, 1, 'once is enough');
  await (await listener.prepare(STORED, off))?.commit();
  await listener.startAgain(ALL);
  t.same([...machine.bound], ['*:9480']);
});

void t.test('the end: what is prepared goes too, and nothing opens any more', async (t) => {
  const { machine, listener, urls } = await start();
  const move = await listener.prepare(STORED, { ...STORED, port: 9000 });
  const reopen = await listener.prepare(STORED, ALL);
  await listener.close();
  t.equal(machine.bound.size, 0);
  await move?.commit();
  await reopen?.commit();
  t.same([machine.bound.size, urls], [0, []]);
});
