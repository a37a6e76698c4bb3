// The API process as it is, over the busy engine. Arguments: those of the program. Reports `ready` with its URL.
import { startDaemon } from '../../api/app/daemon.js';
import { createWorkerTransport } from '../../shared-protocol/worker-transport.js';
import { asLog, createLogger, standardErrorTarget } from '../../api/logging.js';
import { parseCommandLine } from '../../api/cli/options.js';
import { endWithParent, reportEvent } from './load-job.js';

const parsed = parseCommandLine(process.argv.slice(2), {});
if (parsed.kind !== 'run') throw new Error('bench: the busy daemon takes the flags of the program');

endWithParent();
const { url } = await startDaemon(parsed.options, {
  createEngine: () => createWorkerTransport(new URL('./busy-engine.js', import.meta.url)),
  log: asLog(createLogger(parsed.options.logLevel, await standardErrorTarget())),
  notify: () => undefined,
  onFatal: ({ message }) => reportEvent('error', { message }),
});
reportEvent('ready', { message: url });
