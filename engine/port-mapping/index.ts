// What the rest of the engine may use of being found from outside.
export {
  createPortMapping,
  type PortMapping,
  type PortMappingCounters,
  type PortMappingDeps,
  type PortMappingOptions,
  type PortMappingState,
} from './port-mapping.js';
export type { GatewayClient, MappedProtocol } from './gateway-types.js';
