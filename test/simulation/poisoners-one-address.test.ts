import { poisonedSwarms } from './poisoned-swarm.js';

poisonedSwarms('all in a private network', 1, 25, { hostOf: () => '10.9.9.9' });
// Where it is not known yet that several share it, a public address is banned as a whole.
poisonedSwarms('all behind one public address', 1, 25, { hostOf: () => '198.51.100.1', headStartMs: 1_500 });
// Their blocks go to disk as they come, and are hashed from there.
poisonedSwarms('pieces too large for the slab', 1, 10, { hostOf: (n) => `198.51.100.${n + 1}`, slabBytes: 64 * 1024 });
