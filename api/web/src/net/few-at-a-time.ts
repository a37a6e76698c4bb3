// Requests that go on to other servers, a few at a time: of an account the server takes four, and refuses more.

const AT_A_TIME = 3;
let running = 0;
const waiting: (() => void)[] = [];

/** Does it when its turn comes; what is for this server has no need to wait. */
export async function fewAtATime<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
  if (!address.includes('server_id=')) return work();
  if (running < AT_A_TIME) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
