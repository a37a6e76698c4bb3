// Lint rules for single files; which folder may import which is in .dependency-cruiser.cjs.
import tseslint from 'typescript-eslint';
import { docCommentSubject } from './lint/doc-comment-subject.js';

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
  {
    files: [
      'shared-protocol/**/*.ts',
      'storage/**/*.ts',
      'engine/**/*.ts',
      'engine-process/**/*.ts',
      'api/**/*.ts',
      'api/**/*.tsx',
      'cli/**/*.ts',
      'fleet/**/*.ts',
    ],
    plugins: { swarmd: { rules: { 'doc-comment-subject': docCommentSubject } } },
    rules: { 'swarmd/doc-comment-subject': 'error' },
  },
  { files: ['bench/**/*.ts', 'test/**/*.ts'], rules: { 'no-console': 'off' } },
);
