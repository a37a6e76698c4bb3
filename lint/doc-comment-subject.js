// A lint rule: a doc comment is a sentence whose subject is the thing documented, so it does not begin with a word that
// refers to something outside of the sentence.
const DANGLING = new Set(
  'It Its They Them Their Those Of What As Who Whoever Whom Whose Nobody Somebody Anybody Else'.split(' '),
);
const FIRST_WORD = /^\*[\s*]*([A-Za-z]+)/;

export const docCommentSubject = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { dangling: 'a doc comment names what it documents: it does not begin with "{{word}}"' },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const word = comment.type === 'Block' ? FIRST_WORD.exec(comment.value)?.[1] : undefined;
          if (word && DANGLING.has(word)) context.report({ loc: comment.loc, messageId: 'dangling', data: { word } });
        }
      },
    };
  },
};
