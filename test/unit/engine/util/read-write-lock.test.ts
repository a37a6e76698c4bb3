import t from 'tap';
import { ReadWriteLock } from '../../../../engine/util/read-write-lock.js';

/** Work that ends when told to, and a log of what is inside. */
class Script {
  readonly inside = new Set<string>();
  readonly #ends = new Map<string, () => void>();

  work(name: string): () => Promise<string> {
    return async () => {
      this.inside.add(name);
      await new Promise<void>((resolve) => void this.#ends.set(name, resolve));
      this.inside.delete(name);
      return name;
    };
  }

  async end(name: string): Promise<string> {
    this.#ends.get(name)?.();
    return this.show();
  }

  async show(): Promise<string> {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    return [...this.inside].join(' ');
  }
}

void t.test('sharers enter together, one alone waits for them and keeps later ones out', async (t) => {
  const gate = new ReadWriteLock();
  const script = new Script();
  const all = [
    gate.shared(script.work('read1')),
    gate.shared(script.work('read2')),
    gate.alone(script.work('move')),
    gate.shared(script.work('read3')),
    gate.shared(script.work('read4')),
    gate.alone(script.work('delete')),
  ];
  t.equal(await script.show(), 'read1 read2');
  t.equal(await script.end('read1'), 'read2');
  t.equal(await script.end('read2'), 'move');
  t.equal(await script.end('move'), 'read3 read4');
  t.equal(await script.end('read4'), 'read3');
  t.equal(await script.end('read3'), 'delete');
  t.equal(await script.end('delete'), '');
  t.same(await Promise.all(all), ['read1', 'read2', 'move', 'read3', 'read4', 'delete']);
});

void t.test('work that fails leaves the gate open', async (t) => {
  const gate = new ReadWriteLock();
  await t.rejects(gate.alone(() => Promise.reject(new Error('disk on fire'))));
  t.equal(await gate.alone(async () => 'next'), 'next');
});
