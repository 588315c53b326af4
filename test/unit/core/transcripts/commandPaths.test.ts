import { describe, expect, it } from 'vitest';
import { namesOfCommand, pathsOfPatch } from '../../../../src/core/transcripts/commandPaths';
import { APP } from '../../../support/transcripts';

const paths = (command: string, cwd?: string): string => namesOfCommand(command, APP, cwd).paths.join(' ');

describe('files of a command line', () => {
  it.each([
    ['cat Makefile notes', 'Makefile notes'],
    ['head -n 20 src/a.ts | wc -l', 'src/a.ts'],
    ["sed -n '1,80p' src/a.ts", 'src/a.ts'],
    ["sed -i -e 's/a/b.c/' -e 's/d/e.f/' src/a.ts", 'src/a.ts'],
    ['grep -rn -A 3 "foo.bar" src/a.ts lib/b.py', 'src/a.ts lib/b.py'],
    ["rg -g '*.ts' needle.js src/a.ts", 'src/a.ts'],
    ["awk '{print $1}' data.csv > out/table.csv 2> /dev/null", 'out/table.csv data.csv'],
    ['cd src && cat a.ts; cd /elsewhere && cat b.ts', 'src/a.ts'],
    ['cd "$DIR" && cat a.ts', ''],
    ['git diff main -- src/a.ts feature', 'src/a.ts feature'],
    ['git show HEAD~2:src/a.ts', 'src/a.ts'],
    ['git checkout origin/main && git log --author a.b feature/login', ''],
    ['git commit -m "fix src/a.ts" src/b.ts', 'src/b.ts'],
    ['bash -lc "cat src/a.ts"', 'src/a.ts'],
    ['FOO=x.ts sudo timeout 30s cat a.ts', 'a.ts'],
    ['npx vitest run test/a.test.ts --config=vitest.config.mts', 'test/a.test.ts vitest.config.mts'],
    ['python -m pytest.main tests/test_a.py:12', 'tests/test_a.py'],
    ["python - <<'EOF'\nopen('src/a.ts')\ncat b.ts\nEOF\ncat c.ts", 'c.ts'],
    ['tsc -p tsconfig.json && echo done.md', 'tsconfig.json'],
    ['vim +10 "docs/run book.md"', 'docs/run book.md'],
  ])('%s', (command, expected) => {
    expect(paths(command)).toBe(expected);
  });

  it.each([
    'npm install lodash/fp @scope/pkg left-pad',
    'curl https://example.org/a.ts -o /tmp/a.ts',
    'echo src/a.ts',
    'ls *.ts src/**/x.ts',
    `cat $FILE $${'{DIR}'}/a.ts \`which x\`.ts`,
    'node -e "require(\'./a.js\')"',
    'docker run image/name.tag',
    'ssh me@host.example cat',
    'jq .scripts.build',
    'cat ../outside.ts /etc/passwd ~/x.ts',
    'make build test',
    'cat ${',
    '',
  ])('invents none in %j', (command) => {
    expect(paths(command)).toBe('');
  });

  it('reads words relative to where the command runs', () => {
    expect(paths('cat a.ts ../b.ts', '/work/app/packages/x')).toBe('packages/x/a.ts packages/b.ts');
  });

  it.each([
    ['context-budget detail --ids 12,section:soul', '12 section:soul'],
    ['npx context-budget detail --ids=sym:1f3a9c --json | head', 'sym:1f3a9c'],
    ['node node_modules/.bin/context-budget --quiet detail --ids "file:src/a,b.ts,12"', 'file:src/a,b.ts 12'],
    ['context-budget index --ids 12', ''],
    [
      "context-budget detail --ids 'section:memory-files/人 物#L41,section:t/a/b c' 12 --quiet",
      'section:memory-files/人 物#L41 section:t/a/b c 12',
    ],
    ['context-budget detail --ids 12 --root 13', '12'],
    ['other detail --ids 12', ''],
    ['context-budget detail --ids "rm -rf",x', ''],
  ])('reads the handles of %s', (command, expected) => {
    expect(namesOfCommand(command, APP).handles.join(' ')).toBe(expected);
  });

  it('reads headers of patches, also inside of code', () => {
    const patch = '*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n*** Add File: ../c.ts\n';
    expect(pathsOfPatch(patch, APP)).toEqual(['src/a.ts', 'src/b.ts']);
    expect(pathsOfPatch(JSON.stringify(patch), APP)).toEqual(['src/a.ts', 'src/b.ts']);
  });
});
