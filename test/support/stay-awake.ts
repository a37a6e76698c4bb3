// Keeps the process while a test waits for a thread that does not keep it.

export function stayAwake(t: { teardown(end: () => void): void }): void {
  const timer = setInterval(() => undefined, 1_000);
  t.teardown(() => clearInterval(timer));
}
