// What the routes show of the documentation that is made from them (documentation/).
import type { Reply } from './reply.js';

export interface ApiDocumentation {
  /** The OpenAPI document, as JSON. */
  openApi(): Buffer;
  /** `index.html` or what it refers to. @throws RequestError `NOT_FOUND` */
  page(name: string): Promise<Reply<Buffer>>;
}
