// A process of WebSocket clients that read whatever comes and throw it away. Arguments: the URL, `deflated`
// or `plain`, how many sockets to open with each key, and the keys. Reports `connected` when every one has had its first frames, then stays.
import { WebSocket } from 'ws';
import { endWithParent, reportEvent } from './load-job.js';

/** torrents:tick and stats:tick. */
const FIRST_FRAMES = 2;

const [url = '', kind = '', perKey = '', ...keys] = process.argv.slice(2);
const sockets = keys.flatMap((key) => Array.from({ length: Number(perKey) }, () => key));
let ready = 0;

endWithParent();
for (const key of sockets) {
  let frames = 0;
  const headers = { authorization: `Bearer ${key}` };
  const socket = new WebSocket(url, { headers, perMessageDeflate: kind === 'deflated', skipUTF8Validation: true });
  socket.on('message', () => {
    if (++frames === FIRST_FRAMES && ++ready === sockets.length) reportEvent('connected', {});
  });
  socket.on('error', ({ message }) => reportEvent('error', { message }));
}
