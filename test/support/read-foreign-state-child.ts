// A program that reads the state of another program as an import does: which and where are its arguments. Says what it found.
import { tmpdir } from 'node:os';
import { reasonOf } from '../../api/services/import/reason-of.js';
import { PROGRAMS } from '../../api/services/import/programs.js';
import { StateDirectory } from '../../api/services/import/state-directory.js';
import { inEnglish } from './import/in-english.js';

const [from = '', path = ''] = process.argv.slice(2);
try {
  const program = PROGRAMS[from as keyof typeof PROGRAMS];
  const { entries, read, notes } = await program.open(await StateDirectory.open(path), tmpdir());
  const records = await Promise.all(entries.map((entry) => read(entry).then(() => 'read', reasonOf)));
  console.log(JSON.stringify(inEnglish({ records, notes })));
} catch (error) {
  console.log(JSON.stringify(inEnglish({ error: reasonOf(error) })));
}
