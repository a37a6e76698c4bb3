import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import t from 'tap';

const MODULE = new URL('../../../../../../api/services/library/media-info/bound-memory.js', import.meta.url);

/** In a thread of its own: the bound holds for all of it. */
void t.test('memory of WebAssembly grows up to the bound', async (t) => {
  const code = `
    import { parentPort } from 'node:worker_threads';
    import { boundMemory } from '${MODULE.href}';
    boundMemory(4 * 65_536);
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 100 });
    const grown = [3, 1].map((pages) => { try { return memory.grow(pages); } catch (error) { return error.name; } });
    parentPort.postMessage([...grown, memory.buffer.byteLength / 65_536]);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
  t.same(await once(worker, 'message'), [[1, 'RangeError', 4]]);
  await worker.terminate();
});
