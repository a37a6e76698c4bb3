// The programs that can be measured.
import { aria2 } from './aria2.js';
import { libtorrent } from './libtorrent.js';
import type { Program, ProgramName } from './program.js';
import { swarmd, swarmdEngine } from './swarmd.js';
import { transmission } from './transmission.js';

export const PROGRAMS: { readonly [Name in ProgramName]: Program } = {
  swarmd,
  'swarmd-engine': swarmdEngine,
  aria2,
  libtorrent,
  transmission,
};

export * from './program.js';
