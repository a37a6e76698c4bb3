// What the rest of the engine may use of finding neighbours and of being found from outside.
export { createLsd, type Lsd, type LsdCounters, type LsdDeps, type LsdOptions } from './lsd.js';
export {
  createPortMapping,
  type PortMapping,
  type PortMappingCounters,
  type PortMappingDeps,
  type PortMappingOptions,
  type PortMappingState,
} from './port-mapping.js';
export type { GatewayClient, MappedProtocol } from './gateway-types.js';
