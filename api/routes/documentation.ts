// The API describes itself: an OpenAPI document made from the table of routes, and a page that shows it.
import { z } from 'zod';
import { noInput } from './input.js';
import { Reply } from './reply.js';
import { accountRoute, type RouteTable } from './route.js';

export const documentationRoutes = {
  'GET /api/openapi.json': accountRoute({
    gate: 'account',
    summary: 'This document (OpenAPI 3.1)',
    input: noInput,
    output: z.looseObject({ openapi: z.string() }),
    handle: (_input, { services }) => new Reply(services.documentation.openApi()),
  }),
  'GET /api/docs': accountRoute({
    gate: 'account',
    summary: 'A page that shows the document',
    input: noInput,
    output: z.never(),
    handle: async (_input, { services }) => services.documentation.page('index.html'),
  }),
  'GET /api/docs/{file}': accountRoute({
    gate: 'account',
    summary: 'What the page is made of',
    input: noInput,
    output: z.never(),
    errors: { 404: 'no such file' },
    handle: async (_input, { services, params }) => services.documentation.page(params['file'] ?? ''),
  }),
} satisfies RouteTable;
