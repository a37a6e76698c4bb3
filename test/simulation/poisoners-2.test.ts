import { poisonedSwarms } from './poisoned-swarm.js';

poisonedSwarms('each at its own address', 101, 100, { hostOf: (n) => `198.51.100.${n + 1}` });
