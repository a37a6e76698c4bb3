// docs/api.md, "Torrents": the name that a torrent is shown by, and the paths of its files.
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { renameBodySchema, renamedSchema, shownNameBodySchema } from '../../shared-protocol/dto/torrents.js';
import { jsonInput } from './input.js';
import { torrentRoute, type RouteTable } from './route.js';

export const torrentNameRoutes = {
  'PUT /api/torrents/{id}/name': torrentRoute({
    access: 'editor',
    summary: 'Sets the name that is shown to those who see this share; null goes back to its own. No file is renamed',
    input: jsonInput(shownNameBodySchema),
    output: okSchema,
    handle: ({ name }, { services, share }) => services.torrentLabels.setName(share, name),
  }),
  'POST /api/torrents/{id}/rename': torrentRoute({
    access: 'editor',
    summary:
      'Gives a file, or all of a folder, another path below its save path. One that other accounts hold too is for ' +
      'administrators only',
    input: jsonInput(renameBodySchema),
    output: renamedSchema,
    errors: {
      404: 'no such file or folder in the torrent',
      409: 'something lies there already, files are being moved, or the metadata is not there yet',
    },
    handle: (body, { services, principal, share }) => services.moving.rename(principal.account, share, body),
  }),
} satisfies RouteTable;
