// What the session may use of the DHT.
export { createDhtNode } from './dht-node.js';
export type { DhtNode, DhtNodeDeps, DhtNodeOptions, DhtStats, TrafficCounters } from './types.js';
