// Matches titles apart from the page: JavaScript's expressions may take for ever, and then this thread is ended.
import type { PreviewAnswer, PreviewQuestion } from './preview-messages.js';

addEventListener('message', ({ data }: MessageEvent<PreviewQuestion>) => {
  const compiled = data.patterns.map(({ source, flags }) => new RegExp(source, flags));
  const indices = data.titles.flatMap((title, index) =>
    compiled.some((pattern) => pattern.test(title)) ? [index] : [],
  );
  answer({ kind: 'matched', indices });
});

function answer(message: PreviewAnswer): void {
  postMessage(message);
}

answer({ kind: 'ready' });
