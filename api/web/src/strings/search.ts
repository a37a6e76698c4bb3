// Texts of the search of the list.
export const search = {
  hint: 'Words, "phrases", -not, OR, /pattern/, tag:linux, size>10G; ↓ shows all',
  broken: 'Not a valid pattern: {text}',
  title: 'In the search of the list',
  word: 'Words in the name, in any order',
  phrase: 'A phrase',
  not: 'Without a word, a tag, anything below',
  or: 'One or the other',
  pattern: 'A pattern, as in feed filters',
  label: 'By name of category or tag; none: without',
  place: 'By tracker or save path',
  figure: 'By size, ratio, speed, progress, totals, seeds or peers',
  age: 'Added in the last seven days',
  state: 'By status',
} as const;
