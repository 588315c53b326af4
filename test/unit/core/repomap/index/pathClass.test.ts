import { describe, expect, it } from 'vitest';
import { classifyPath } from '../../../../../src/core/repomap/index/pathClass';

describe('classifyPath', () => {
  it.each([
    ['src/store.ts', 'source'],
    ['src/latest.go', 'source'],
    ['src/contest/attest.py', 'source'],
    ['tests/store.py', 'test'],
    ['src/__tests__/a.ts', 'test'],
    ['src/a.test.ts', 'test'],
    ['src/a.spec.tsx', 'test'],
    ['pkg/store_test.go', 'test'],
    ['pkg/test_store.py', 'test'],
    ['conftest.py', 'test'],
    ['src/StoreTest.java', 'test'],
    ['crates/searcher/src/testutil.rs', 'test'],
    ['Src/Shop.Tests/TestFixture.cs', 'test'],
    ['okio/src/jvmTest/kotlin/A.kt', 'test'],
    ['docs/conf.py', 'docs'],
    ['src/notes.md', 'docs'],
    ['examples/app.py', 'example'],
    ['benches/a.rs', 'tooling'],
    ['vite.config.ts', 'tooling'],
    ['src/app.config.ts', 'source'],
    ['src/types.d.ts', 'tooling'],
    ['api/store.pb.go', 'generated'],
    ['static/app.min.js', 'generated'],
    ['dist/a.js', 'generated'],
    ['vendor/lib/test/a.go', 'vendored'],
    ['deps/lua/src/lapi.c', 'vendored'],
    ['src/build/arg/mod.rs', 'source'],
    ['packages/app/dist/index.js', 'generated'],
    ['core/src/main/java/org/x/testing/tools/Runner.java', 'source'],
    ['okio/src/commonMain/kotlin/test/A.kt', 'source'],
    ['core/src/test/java/org/x/Runner.java', 'test'],
    ['src/test/resources/main/A.java', 'test'],
    ['core/TestRunner.java', 'test'],
    ['app/Testimonials.java', 'source'],
    ['spec/rack/lint_spec.rb', 'test'],
    ['lib/button.stories.tsx', 'test'],
    ['lib/__mocks__/fs.js', 'test'],
    ['src/user.mock.ts', 'test'],
    ['src/Shop/OrderTests.cs', 'test'],
    ['tests/cli.rs', 'test'],
  ])('%s is %s', (path, expected) => {
    expect(classifyPath(path)).toBe(expected);
  });
});
