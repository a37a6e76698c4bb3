// docs/api.md, "Additions": torrents that are taken over from other programs.
import {
  importBodySchema,
  importListSchema,
  importQuerySchema,
  importReportSchema,
  importSchema,
} from '../../shared-protocol/dto/imports.js';
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { jsonInput, noInput, queryInput } from './input.js';
import { accountRoute, numberInPath, type RouteTable } from './route.js';

const NO_IMPORT = { 404: 'no such import, or it was forgotten' };

export const importRoutes = {
  'POST /api/import': accountRoute({
    gate: 'admin',
    summary:
      'Takes over the torrents of another program from the directory of its state on the server, in the background: with progress, ' +
      'figures, dates, labels, limits and renamed files, without hashing what fits. What is there already stays as it is. With `settings` ' +
      'its settings, feeds and rules come along, in place of those here',
    input: jsonInput(importBodySchema),
    output: importSchema,
    errors: { 404: 'no such account' },
    handle: (body, { services, principal }) => services.imports.begin(principal.account, body),
  }),
  'GET /api/import': accountRoute({
    gate: 'admin',
    summary: 'The import under way, and the last ones',
    input: noInput,
    output: importListSchema,
    handle: (_input, { services }) => services.imports.list(),
  }),
  'GET /api/import/{id}': accountRoute({
    gate: 'admin',
    summary: 'How far it is, and what came of each torrent, a thousand in an answer',
    input: queryInput(importQuerySchema),
    output: importReportSchema,
    errors: NO_IMPORT,
    handle: ({ offset, limit }, context) => context.services.imports.show(numberInPath(context, 'id'), offset, limit),
  }),
  'DELETE /api/import/{id}': accountRoute({
    gate: 'admin',
    summary: 'Ends one that is under way, what was added stays; forgets one that has ended',
    input: noInput,
    output: okSchema,
    errors: NO_IMPORT,
    handle: (_input, context) => context.services.imports.end(numberInPath(context, 'id')),
  }),
} satisfies RouteTable;
