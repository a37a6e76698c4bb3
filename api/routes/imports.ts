// docs/api.md, "Additions": torrents that are taken over from other programs.
import {
  importBodySchema,
  importListSchema,
  importQuerySchema,
  importReportSchema,
  importSchema,
} from '../../shared-protocol/dto/imports.js';
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { importArchiveSchema } from '../../shared-protocol/dto/import-archives.js';
import { archiveInput, jsonInput, noInput, queryInput } from './input.js';
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
    errors: { 404: 'no such account or archive', 409: 'the archive is not whole yet, or in use' },
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
  'POST /api/import_archives': accountRoute({
    gate: 'admin',
    summary:
      'Receives a .tar, .tar.gz or .zip of the directory in which another program keeps its state, at once or in parts, and unpacks it ' +
      'when it is whole: `archive` of an import. It is kept for that import, for an hour at most, in place of the one before',
    input: archiveInput,
    output: importArchiveSchema,
    errors: {
      404: 'no such archive',
      409: 'the part is not the next one, or it was deleted meanwhile',
      500: 'the disk is full or fails',
    },
    handle: (archive) => archive,
  }),
  'DELETE /api/import_archives/{id}': accountRoute({
    gate: 'admin',
    summary: 'Forgets an archive that was sent; an import that reads it ends first',
    input: noInput,
    output: okSchema,
    errors: { 404: 'no such archive' },
    handle: (_input, context) =>
      context.services.importArchives.delete(context.principal.account.id, numberInPath(context, 'id')),
  }),
} satisfies RouteTable;
