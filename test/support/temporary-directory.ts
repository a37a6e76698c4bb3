// Directories for tests, gone when the test file is done.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';

export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'swarmd-test-'));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
}
