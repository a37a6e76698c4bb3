// Handshakes that are held: the oldest of whoever has the most goes, and none that came to something.
import t from 'tap';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Handshakes, MAX_HANDSHAKES } from '../../../engine-process/handshakes.js';

/** As much of a socket as is looked at. */
class HeldSocket extends EventEmitter {
  destroyed = false;

  constructor(
    readonly remoteAddress: string | undefined,
    readonly remotePort: number | undefined,
  ) {
    super();
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const asSocket = (socket: HeldSocket) => socket as unknown as Socket; // what is looked at is there

function begin(handshakes: Handshakes, address?: string, port?: number): HeldSocket {
  const socket = new HeldSocket(address, port);
  handshakes.began(asSocket(socket));
  return socket;
}

void t.test('of one source the oldest goes', async (t) => {
  const handshakes = new Handshakes();
  const held = Array.from({ length: MAX_HANDSHAKES + 2 }, () => begin(handshakes));
  t.same(
    held.map(({ destroyed }) => destroyed),
    held.map((_, place) => place < 2),
  );
  held[5]!.destroy();
  t.equal(handshakes.size, MAX_HANDSHAKES - 1);
  begin(handshakes);
  t.notOk(held[2]!.destroyed, 'there was room again');
});

void t.test('one that holds many keeps out nobody but itself', async (t) => {
  const handshakes = new Handshakes();
  const front = begin(handshakes, '192.0.2.1', 4_000);
  const other = begin(handshakes, '2001:db8:1::1', 4_000);
  const held = Array.from({ length: 300 }, (_, port) =>
    begin(handshakes, port % 2 === 0 ? '198.51.100.1' : '::ffff:198.51.100.2', port),
  );
  t.notOk(front.destroyed || other.destroyed);
  t.equal(held.filter(({ destroyed }) => !destroyed).length, MAX_HANDSHAKES - 2);
});

void t.test('addresses of one network are one source', async (t) => {
  const handshakes = new Handshakes();
  const front = begin(handshakes, '2001:db8:1::1', 4_000);
  for (let n = 0; n < 300; n++) begin(handshakes, `2001:db8:2:0:${n.toString(16)}::1`, n);
  t.notOk(front.destroyed);
});

void t.test('a front that was admitted is none any more, also behind TLS', async (t) => {
  const handshakes = new Handshakes();
  const [raw, plain] = [begin(handshakes, '192.0.2.1', 4_000), begin(handshakes)];
  begin(handshakes, '192.0.2.1', 4_001);
  handshakes.ended(asSocket(new HeldSocket('192.0.2.1', 4_000)));
  handshakes.ended(asSocket(plain));
  t.equal(handshakes.size, 1);
  for (let n = 0; n < 300; n++) begin(handshakes, '192.0.2.1', 5_000 + n);
  t.notOk(raw.destroyed || plain.destroyed);
});
