// docs/api.md, "Additions": the log, which is of all accounts together, and so for administrators.
import { z } from 'zod';
import { logQuerySchema, logSchema } from '../../shared-protocol/dto/log.js';
import { noInput, queryInput } from './input.js';
import { Reply } from './reply.js';
import { accountRoute, type RouteTable } from './route.js';

export const logRoutes = {
  'GET /api/log': accountRoute({
    gate: 'admin',
    summary: 'The last 2,000 lines of the log, those that fit the query, without secrets',
    input: queryInput(logQuerySchema),
    output: logSchema,
    handle: ({ after, ...query }, { services }) =>
      services.logRecords.find({ ...query, after: after === undefined ? 0 : Number(after) }),
  }),
  'GET /api/log/file': accountRoute({
    gate: 'admin',
    summary: 'The same lines, all of them, as a file of a line of JSON each',
    input: noInput,
    output: z.never(),
    handle: (_input, { services }) =>
      new Reply(Buffer.from(services.logRecords.asLines()), {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': 'attachment; filename="swarmd-log.jsonl"',
        'X-Content-Type-Options': 'nosniff',
      }),
  }),
} satisfies RouteTable;
