// log/*: what the process logs is of all accounts together, and stands where it is kept; no account is shown any of it here.
import { json } from './answers.js';
import { reading, type RouteTable } from './row.js';

export const logRoutes = {
  'log/main': reading(() => json([])),
  'log/peers': reading(() => json([])),
} as const satisfies RouteTable;
