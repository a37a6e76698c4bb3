// Matches titles apart from the page: JavaScript's expressions may take for ever, and then this thread is ended.
import type { PreviewAnswer, PreviewQuestion } from './preview-messages.js';

addEventListener('message', ({ data }: MessageEvent<PreviewQuestion>) => {
  const compiled = data.patterns.map(({ source, flags }) => new RegExp(source, flags));
  const matches = data.titles.flatMap((title, index) => {
    const first = compiled.findIndex((pattern) => pattern.test(title));
    return first === -1 ? [] : [[index, first] as const];
  });
  answer({ kind: 'matched', matches });
});

function answer(message: PreviewAnswer): void {
  postMessage(message);
}

answer({ kind: 'ready' });
