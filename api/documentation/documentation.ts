// The API describes itself: the OpenAPI document, made once when a client asks for it, and the page that shows it.
import { notFound } from '../errors.js';
import type { ApiDocumentation } from '../routes/api-documentation.js';
import { ROUTES } from '../routes/index.js';
import { Reply } from '../routes/reply.js';
import { VERSION } from '../version.js';
import { openApiDocument } from './openapi.js';
import { pageFile } from './page.js';

export class Documentation implements ApiDocumentation {
  #document: Buffer | null = null;

  constructor(private readonly basePath: string) {}

  openApi(): Buffer {
    this.#document ??= Buffer.from(JSON.stringify(openApiDocument(ROUTES, VERSION, this.basePath)));
    return this.#document;
  }

  async page(name: string): Promise<Reply<Buffer>> {
    const file = await pageFile(name, this.basePath);
    if (!file) throw notFound('file');
    return new Reply(file.bytes, file.headers);
  }
}
