// A body of bytes with word of how much of it has gone, which `fetch` does not give.
import { atBase } from './base.js';
import { answerOf, noAnswer, sessionNow } from './http.js';

export interface Sending {
  readonly signal: AbortSignal;
  readonly onSent: (bytes: number) => void;
}

/** @throws ApiError; the signal's reason once it is aborted */
export async function sendBytes<Answer>(path: string, body: Blob, { signal, onSent }: Sending): Promise<Answer> {
  signal.throwIfAborted();
  const sentIn = sessionNow();
  const request = new XMLHttpRequest();
  const giveUp = () => request.abort();
  signal.addEventListener('abort', giveUp);
  try {
    const response = await new Promise<Response>((resolve, reject) => {
      request.upload.onprogress = ({ loaded }) => onSent(loaded);
      request.onload = () => resolve(responseOf(request));
      request.onerror = () => reject(noAnswer());
      request.onabort = () => reject(signal.reason as Error);
      request.open('POST', atBase(path));
      request.setRequestHeader('Content-Type', 'application/octet-stream');
      request.send(body);
    });
    return await answerOf<Answer>(path, response, sentIn);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function responseOf(request: XMLHttpRequest): Response {
  const { status, statusText, responseText } = request;
  return new Response(responseText, { status, statusText });
}
