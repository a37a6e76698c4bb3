// Who is hashed when: one on each device, two in all, what is waited for first.
import t from 'tap';
import { CheckQueue } from '../../../../engine/session/check-queue.js';
import type { Torrent } from '../../../../engine/torrent/torrent.js';

class Scene {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();
  readonly #devices = new Map<Torrent, number>();
  readonly queue = new CheckQueue((torrent) => this.#devices.get(torrent) ?? 0);

  torrent(name: string, device: number): Torrent {
    const run = (kind: string) => (): Promise<void> => {
      this.begun.push(`${kind} ${name}`);
      return new Promise((resolve) => this.#ends.set(name, resolve));
    };
    const torrent = { runCheck: run('check'), runAudit: run('audit') } as unknown as Torrent;
    this.#devices.set(torrent, device);
    return torrent;
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

void t.test('one on each device, two in all; audits when nobody waits', async (t) => {
  const scene = new Scene();
  const [a, b, c, d, e] = [
    scene.torrent('a', 1),
    scene.torrent('b', 1),
    scene.torrent('c', 2),
    scene.torrent('d', 3),
    scene.torrent('e', 1),
  ];
  scene.queue.addAudit(e);
  t.same(scene.begun, ['audit e']);
  for (const torrent of [a, b, c, d]) scene.queue.add(torrent);
  scene.queue.addAudit(e);
  t.same(scene.begun, ['audit e', 'check c']);
  await scene.end('c');
  t.same(scene.begun.slice(2), ['check d']);
  await scene.end('e');
  t.same(scene.begun.slice(3), ['check a'], 'before the audit that waited longer');
  scene.queue.remove(b);
  await scene.end('a');
  t.same(scene.begun.slice(4), ['audit e']);
  await scene.end('e');
  await scene.end('d');
});

void t.test('closing waits for what runs, and begins nothing', async (t) => {
  const scene = new Scene();
  scene.queue.add(scene.torrent('a', 1));
  scene.queue.add(scene.torrent('b', 1));
  let isClosed = false;
  const closing = scene.queue.close().then(() => (isClosed = true));
  await new Promise((resolve) => setImmediate(resolve));
  t.notOk(isClosed);
  await scene.end('a');
  await closing;
  t.same(scene.begun, ['check a']);
});
