// Lint rules, and the thread boundary: which folder may import which (design: four rooms, three floors).
import tseslint from 'typescript-eslint';
import { docCommentSubject } from './lint/doc-comment-subject.js';

const room = (name, ...forbidden) => ({
  files: [`${name}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: forbidden.map((other) => ({
          group: [`../${other}/**`, `../../${other}/**`, `../../../${other}/**`, `../../../../${other}/**`],
          message: `${name}/ must not import ${other}/.`,
        })),
      },
    ],
  },
});

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', '.tap/**'] },
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      eqeqeq: 'error',
      'no-console': 'error',
      'prefer-const': 'error',
    },
  },
  room('api', 'engine', 'bench', 'test'),
  room('engine', 'api', 'bench', 'test'),
  room('storage', 'api', 'engine', 'bench', 'test'),
  room('shared-protocol', 'api', 'engine', 'storage', 'bench', 'test'),
  {
    files: ['shared-protocol/**/*.ts', 'storage/**/*.ts'],
    plugins: { swarmd: { rules: { 'doc-comment-subject': docCommentSubject } } },
    rules: { 'swarmd/doc-comment-subject': 'error' },
  },
  { files: ['bench/**/*.ts', 'test/**/*.ts'], rules: { 'no-console': 'off' } },
);
