import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'test/unit/**/*.test.ts',
      'test/property/**/*.test.ts',
      'test/golden/**/*.test.ts',
      'test/contract/**/*.test.ts',
    ],
    testTimeout: 30_000,
  },
});
