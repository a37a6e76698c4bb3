// The page that shows the document: swagger-ui's own files from its package, and two small ones of ours that tie them
// together. Files are looked up in a list of names, so a name from a request never becomes a path.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Headers } from '../errors.js';

export interface PageFile {
  readonly bytes: Buffer;
  readonly headers: Headers;
}

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const PNG = 'image/png';

/** By name, with their Content-Type. */
const FROM_PACKAGE: Readonly<Record<string, string>> = {
  'swagger-ui.css': CSS,
  'index.css': CSS,
  'swagger-ui-bundle.js': JAVASCRIPT,
  'favicon-32x32.png': PNG,
  'favicon-16x16.png': PNG,
};

const INDEX = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Swarmd API</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
    <link rel="stylesheet" href="/api/docs/index.css">
    <link rel="icon" type="image/png" href="/api/docs/favicon-32x32.png" sizes="32x32">
    <link rel="icon" type="image/png" href="/api/docs/favicon-16x16.png" sizes="16x16">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  // x-gate
  showExtensions: true,
  // It would ask swagger.io.
  validatorUrl: null,
});
`;

/** swagger-ui sets style attributes and has images in its style sheet; nothing else is looser than elsewhere. */
const PAGE_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join(';');

/** Assets change with the version of the program only. */
const ASSET_CACHING = 'private, max-age=3600';

/** `index.html` and what it refers to; null for any other name. */
export async function pageFile(name: string, basePath: string): Promise<PageFile | null> {
  if (name === 'index.html') {
    return {
      bytes: placed(INDEX, basePath),
      headers: { 'Content-Type': HTML, 'Content-Security-Policy': PAGE_POLICY },
    };
  }
  if (name === 'start.js') return asset(placed(START, basePath), JAVASCRIPT);
  if (!Object.hasOwn(FROM_PACKAGE, name)) return null;
  return asset(await readFile(join(packageFolder(), name)), FROM_PACKAGE[name]!);
}

/** With the sub-path at which the service is. */
function placed(text: string, basePath: string): Buffer {
  return Buffer.from(text.replaceAll(/(["'])\/api\//g, `$1${basePath}/api/`));
}

function asset(bytes: Buffer, contentType: string): PageFile {
  return { bytes, headers: { 'Content-Type': contentType, 'Cache-Control': ASSET_CACHING } };
}

function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
