import { describe, expect, it } from 'vitest';
import { classifyPath } from '../../../../../src/core/repomap/index/pathClass';
import { parseTask } from '../../../../../src/core/repomap/ranking/query';

const weightsOf = (text: string) => new Map(parseTask(text).terms.map(({ term, weight }) => [term, weight]));

import { spelledPaths } from '../../../../../src/core/repomap/ranking/taskNames';

describe('terms of a task', () => {
  it('weighs title over body over code over trace, and takes the best occurrence', () => {
    const text = [
      'Alpha crash',
      '',
      'The beta fails.',
      '```',
      'gamma()',
      'beta()',
      '```',
      '  File "x/delta.py", line 3, in omega',
    ].join('\n');
    const weights = weightsOf(text);
    expect(['alpha', 'beta', 'gamma', 'omega'].map((term) => weights.get(term))).toEqual([1.5, 1, 0.7, 0.5]);
  });

  it('splits identifiers, keeps them whole with more weight, and adds stems with less', () => {
    const weights = weightsOf('x\nloadConfigs');
    expect(weights).toEqual(
      new Map([
        ['load', 1],
        ['configs', 1],
        ['config', 0.5],
        ['loadconfigs', 1.5],
      ]),
    );
  });

  it('knows a name with a number by both spellings', () => {
    const weights = weightsOf('UTF-8 helpers read SHA-256 over HTTP/2 since 2.0-3');
    expect(['utf', 'utf8', 'sha256', 'http2', 'since2'].map((term) => weights.get(term))).toEqual([
      ...[1.5, 1.5, 1.5, 1.5, undefined],
    ]);
  });

  it('takes one or two stop words and no more for names', () => {
    const termsOf = (text: string) => [...weightsOf(text).keys()];
    expect(termsOf('get')).toEqual(['get']);
    expect(termsOf('Fix `get`')).toEqual(['get']);
    expect(parseTask('get()').identifiers.has('get')).toBe(true);
    expect(termsOf('get the door')).toEqual(['door']);
    expect(termsOf('what is this for')).toEqual([]);
  });

  it('drops stop words, URLs, HTML comments, check boxes, versions, environment and inventories', () => {
    const text = [
      'Title word',
      'please see https://example.org/noise/more_noise',
      '<!-- hidden\nhidden too -->',
      '- [x] ticked',
      'numpy: 1.21.0',
      'OS: plan9',
      'Python version: pypy',
      'kept',
      '<details><summary>Output of pip list</summary>',
      'listed 1',
      '# Another heading',
      'restored',
    ].join('\n');
    expect([...weightsOf(text).keys()].sort()).toEqual(
      expect.arrayContaining(['heading', 'kept', 'restored', 'title', 'word']),
    );
    for (const gone of ['please', 'noise', 'hidden', 'ticked', 'numpy', 'plan9', 'pypy', 'listed']) {
      expect(weightsOf(text).has(gone), gone).toBe(false);
    }
  });

  it('drops what a message says to machines: its type, tracker references, trailers', () => {
    const text = 'fix(parser)!: zebra stripes (#12)\n\nFixes #34, closes acme/shop#5\nSigned-off-by: Ann Onym <a@b.c>';
    expect([...weightsOf(text).keys()].sort()).toEqual(['parser', 'pars', 'strip', 'stripes', 'zebra'].sort());
    expect(parseTask('[acme-shop#12] zebra, see pull request 34 (GitHub issue #56)').words).toEqual(['zebra']);
    expect(weightsOf('Please try: the parser').has('try')).toBe(false);
    expect(weightsOf('Please run perf: the parser').has('perf')).toBe(true);
  });

  it('drops what version control says: hashes, cherry picks, merges, more trailers, and that it fixes', () => {
    const text = [
      'Fix zebra in 1a2b3c4d (cherry picked from commit 0123456789abcdef0123456789abcdef01234567)',
      '',
      'This reverts commit 89abcde1. Hotfix for stripes, fixed since deadbeef.',
      'Merge pull request #12 from acme/lion',
      "Merge branch 'tiger' into main",
      'Change-Id: I5a4b3c2d1e',
      'Co-authored-by: Ann Onym <a@b.c>',
      'Cc: someone',
      'PR-URL: #7',
    ].join('\n');
    expect(parseTask(text).words).toEqual(['zebra', 'stripes', 'deadbeef']);
    expect(parseTask('Fixes the `fix` of eslint --fix and fix()').words).toEqual(['fix', 'eslint']);
    expect(parseTask('fix').words).toEqual(['fix']);
  });

  it('is empty for nothing, and bounded for a flood', () => {
    expect(parseTask('').terms).toEqual([]);
    expect(parseTask('  \n<!-- only -->').terms).toEqual([]);
    // What is not linear does not end within the test's time.
    for (const flood of [
      '[`'.repeat(200_000) + 'a.b::c/'.repeat(100_000),
      `${'x'.repeat(500_000)}\n${' '.repeat(500_000)}x`,
      'a/'.repeat(250_000),
      'a->b-'.repeat(90_000),
      '(cherry picked from merge commit 0a'.repeat(9000),
    ]) {
      expect(parseTask(flood).terms.length).toBeLessThan(1000);
    }
  });
});

describe('names of a task', () => {
  it('are qualified ones in the ways of their languages, as their parts', () => {
    const of = (text: string) => parseTask(text).qualified.map((parts) => parts.join(' '));
    expect(of('RuboCop::Server.forward_to_server? fails')).toEqual(['RuboCop Server forward_to_server?']);
    expect(of('net/http.(*Server).Shutdown hangs')).toEqual(['net http Server Shutdown']);
    expect(of('see crate::a::B, pkg.Class#method and ptr->next.')).toEqual([
      'crate a B',
      'pkg Class method',
      'ptr next',
    ]);
    expect(of('no name here, and/or src/a/b')).toEqual([]);
  });

  it('are files without their extension: with a folder, or before the colon of the title', () => {
    const of = (text: string) => parseTask(text).stems;
    expect(of('http2, openssl: close\n\nin lib/vtls/openssl and and/or')).toEqual([
      'lib/vtls/openssl',
      'and/or',
      'http2',
      'openssl',
    ]);
    expect(of('fix(creds): empty user\n\nhttps://a.b/c/d and src/a.ts')).toEqual(['creds']);
    expect(of('Empty user is lost')).toEqual([]);
  });
});

describe('identifiers of a task', () => {
  it('are as strong as they look like code', () => {
    const { identifiers } = parseTask(
      'The Title of getName\nplain `quoted` snake_case _x1 CamelCase Word\n    coded\n',
    );
    expect(identifiers.get('getName')).toBe(1.5);
    expect(identifiers.get('Title')).toBe(0.75);
    expect(identifiers.get('plain')).toBe(0.25);
    for (const strong of ['quoted', 'snake_case', '_x1', 'CamelCase']) expect(identifiers.get(strong), strong).toBe(1);
    for (const middling of ['Word', 'coded']) expect(identifiers.get(middling), middling).toBe(0.5);
  });

  it('knows members by their owner', () => {
    expect(parseTask('call Store.open and Map::get').dotted).toEqual([
      { owner: 'Store', name: 'open' },
      { owner: 'Map', name: 'get' },
    ]);
  });
});

describe('paths of a task', () => {
  it('takes paths, bare names and links to files', () => {
    const { paths, fileNames } = parseTask(
      'in ./src/a.ts:12 and lib\\b.py, see `main.go` or https://github.com/o/r/blob/abc123/pkg/c.rs#L3 (v1.2.md5)',
    );
    expect(paths).toEqual(['pkg/c.rs', 'src/a.ts', 'lib/b.py']);
    expect(fileNames).toEqual(['main.go']);
  });

  it.each([
    ['a whole path', 'lib/page.ts', ['lib/page.ts']],
    ['a blank', 'src dir/my file.py', ['src dir/my file.py']],
    ['a blank, in the body', "Broken\n\nSee 'src dir/my file.py', line 3.", ['src dir/my file.py']],
    ['signs', 'Fix a,b/it\u2019s & more.ts now', ['a,b/it\u2019s & more.ts']],
    ['brackets', 'app/(shop)/[id]/page.tsx:12', ['app/(shop)/[id]/page.tsx']],
    [
      'letters beyond ASCII',
      '\u4fee\u590d\u6587\u6863/\u8bf4\u660e.py\u7684\u95ee\u9898',
      ['\u6587\u6863/\u8bf4\u660e.py'],
    ],
    ['a path below one above the folder', '/home/me/shop/lib/page.ts is wrong', ['lib/page.ts']],
    ['a path as the shell or Windows writes it', 'in .\\lib\\page.ts', ['lib/page.ts']],
    [
      'no address, which may be of another repository',
      'Broken\n\nhttps://github.com/o/r/blob/abc123/lib/page.ts#L3',
      [],
    ],
    ['a mention of agents', 'Look at @lib/page.ts and explain it', ['lib/page.ts']],
    ['a path at the end of a long prompt', `${'Please take care. '.repeat(80)}Change lib/page.ts`, ['lib/page.ts']],
    ['no end of a word with an accent', 'gr\u00f6\u00dfe.ts is wrong', []],
    ['the end of one path', 'cobra/run.go fails', ['cmd/cobra/run.go']],
    ['the end of one path, in the body', 'It fails\n\nin `cobra/run.go`', ['cmd/cobra/run.go']],
    [
      'several, in the order of the text',
      'lib/page.ts, cmd/cobra/run.go and lib/page.ts',
      ['lib/page.ts', 'cmd/cobra/run.go'],
    ],
    ['a whole path that ends others', 'lib/log.ts', ['lib/log.ts']],
    ['the longer of two', 'x/lib/log.ts', ['x/lib/log.ts']],
    ['a name that one file has', 'run.go fails', ['cmd/cobra/run.go']],
    ['no name in the body', 'It fails\n\nsee run.go', []],
    ['no name that several files have', 'log.ts fails', []],
    ['no end of a longer name', 'mylib/page.ts and lib/page.tsx, lib/page.ts.snap, lib/page.ts/x', []],
    ['no path that goes on elsewhere', 'other/page.ts', []],
    ['no folder that only a test has, in the body', 'It fails\n\nwith a/b.ts', []],
    ['a whole path of a test', 'It fails\n\nin test/a/b.ts', ['test/a/b.ts']],
    ['no frame of a trace', 'It fails\n\n    at run (/app/lib/page.ts:1:9)', []],
    ['no word', 'run the page of the shop, it is wrong', []],
  ])('knows a file by %s', (_what, task, found) => {
    const paths = [
      'lib/page.ts',
      'src dir/my file.py',
      'a,b/it\u2019s & more.ts',
      'app/(shop)/[id]/page.tsx',
      'app/page.tsx',
    ];
    const others = [
      '\u6587\u6863/\u8bf4\u660e.py',
      'cmd/cobra/run.go',
      'src/e.ts',
      'lib/log.ts',
      'x/lib/log.ts',
      'test/a/b.ts',
      'shop',
    ];
    const files = [...paths, ...others].map((path) => ({ path, pathClass: classifyPath(path) }));
    expect(spelledPaths(parseTask(task).prose, files)).toEqual(found);
  });
});

describe('scopes of a task', () => {
  it.each([
    ['fix(parser): it hangs', ['parser']],
    ['feat(react-query, client)!: it hangs', ['react-query', 'client']],
    ['[clap_complete] it hangs', ['clap-complete']],
    ['net/http: it hangs', ['http']],
    ['@acme/shop-cart hangs in tanstack_query', ['shop-cart', 'tanstack-query']],
    ['It hangs: always', []],
    ['It hangs\n\nin react-query', []],
  ])('%s', (text, scopes) => {
    expect([...parseTask(text).scopes].sort()).toEqual([...scopes].sort());
  });

  it('keeps the folders around a scope apart', () => {
    expect([...parseTask('ignore/types: add Ada').outerScopes]).toEqual(['ignore']);
    expect([...parseTask('fix(@acme/shop): add').outerScopes]).toEqual([]);
  });
});

describe('stack frames of a task', () => {
  it.each([
    [
      'Python',
      '  File "/a/b.py", line 3, in outer\n    inner()\n  File "/a/c.py", line 9, in inner\n    1/0',
      'inner outer',
    ],
    ['pytest', 'a/b.py:3: in outer\n    inner()\na/c.py:9: in inner\n    x', 'inner outer'],
    ['JavaScript', '    at inner (/a/c.js:9:1)\n    at async Store.outer (file:///a/b.js:3:5)\n', 'inner outer'],
    ['Java', '\tat com.x.Store.inner(Store.java:9)\n\tat com.x.Main.outer(Main.java:3)', 'inner outer'],
    [
      'C#',
      '   at X.Store.Inner(String a) in /a/Store.cs:line 9\n   at X.Main.Outer() in /a/Main.cs:line 3',
      'Inner Outer',
    ],
    ['Go', 'main.(*Store).inner(0xc0)\n\t/a/c.go:9 +0x1d\nmain.outer(...)\n\t/a/b.go:3 +0x2', 'inner outer'],
    [
      'Rust',
      '   1: app::store::inner\n             at ./src/c.rs:9:5\n   2: app::outer\n             at ./src/b.rs:3:5',
      'inner outer',
    ],
    ['Ruby', "/a/c.rb:9:in `inner'\n\tfrom /a/b.rb:3:in `block in outer'", 'inner outer'],
    ['Ruby 3.4', "/a/c.rb:9:in 'Store#inner'\n\tfrom /a/b.rb:3:in 'Main.outer'", 'inner outer'],
    ['PHP, which names the function called', '#0 /a/c.php(9): Store->get()\n#1 /a/b.php(3): inner(Array)', ' '],
    ['Kotlin', '\tat com.x.StoreKt.inner(Store.kt:9)\n\tat app//com.x.MainKt.outer(Main.kt:3)', 'inner outer'],
    ['Node’s modules', '    at Object.inner [as get] (/a/c.js:9:1)\n    at new outer (/a/b.js:3:5)', 'inner outer'],
  ])('of %s, innermost first', (_language, trace, names) => {
    const { frames } = parseTask(`It fails\n\`\`\`\n${trace}\n\`\`\`\n`);
    expect(frames.map(({ name }) => name).join(' ')).toBe(names);
    expect(frames.map(({ line }) => line)).toEqual([9, 3]);
    expect(frames.map(({ depth }) => depth)).toEqual([0, 1]);
  });

  it.each([
    ['a sanitizer', 'src/a/b.c:9:18: runtime error: signed integer overflow', 'src/a/b.c', ''],
    ['a sanitizer’s frame', '    #1 0x4f2a in ns::parse(char const*) /x/src/b.cc:9:3', '/x/src/b.cc', 'parse'],
    ['a debugger', '#1  0x00005555 in parse (s=0x0, n=3) at src/b.c:9', 'src/b.c', 'parse'],
    ['a Rust compiler', 'error[E0308]: mismatched types\n  --> crates/a/src/b.rs:9:5', 'crates/a/src/b.rs', ''],
    ['a Kotlin compiler', 'e: file:///x/src/B.kt:9:5 Unresolved reference', '/x/src/B.kt', ''],
    ['MSBuild', 'src/B.cs(9,3): error CS0103: no such name', 'src/B.cs', ''],
    ['prose', 'Coverity says on line 9 of fmt/include/fmt/format.h: no', 'fmt/include/fmt/format.h', ''],
    ['prose the other way', 'See `src/b.c`, line 9, where it fails', 'src/b.c', ''],
    ['a link', 'https://github.com/a/b/blob/0a1b2c/src/b.c#L9-L12', 'src/b.c', ''],
  ])('takes the place from %s', (_what, text, path, name) => {
    expect(parseTask(`It fails\n\n${text}\n`).frames).toEqual([{ path, name, line: 9, depth: 0 }]);
  });

  it('takes no place from times, ports and versions', () => {
    const text = 'x\nat 10:20:30 it was\nlocalhost:8080:1 x\nv1.2:3:4 done\nline 3 of the file\n';
    expect(parseTask(text).frames).toEqual([]);
  });

  it('takes the place of a Rust panic', () => {
    expect(parseTask("x\nthread 'main' panicked at src/store.rs:9:5:\nboom").frames[0]).toMatchObject({
      path: 'src/store.rs',
      line: 9,
    });
  });

  it('puts a Java file into the folder of its package', () => {
    expect(parseTask('x\n\tat com.acme.Store.open(Store.java:9)').frames[0]?.path).toBe('com/acme/Store.java');
  });
});

describe('what a task is about', () => {
  it.each([
    ['Fix the flaky tests of the store', true, false],
    ['tests/test_store.py fails on Windows', true, false],
    ['Test client drops cookies', false, false],
    ['Crash in store\n\nSee tests/test_store.py', false, false],
    ['Update the documentation of retries', false, true],
    ['docs: fix examples', false, true],
    ['test(store): cover retries', true, false],
    ['ci: cache more', false, true],
    ['tests are slow: why', false, false],
    ['Crash when documentation is missing', false, false],
  ])('%s', (text, isAboutTests, isAboutExtras) => {
    expect(parseTask(text)).toMatchObject({ isAboutTests, isAboutExtras });
  });
});
