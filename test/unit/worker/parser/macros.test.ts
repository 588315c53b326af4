/** Macros that the grammars of C and C++ mistake for other words: the table's `blanks`. */
import { describe, expect, it } from 'vitest';
import { TreeSitterParser } from '../../../../src/worker/parser/fileParser';
import { nodeModulesAssets } from '../../../support/nodeModulesAssets';

const parser = new TreeSitterParser(nodeModulesAssets);

function parse(path: string, text: string) {
  return parser.parseFile({ path, contentHash: '0', bytes: new TextEncoder().encode(text) });
}

describe('macros of C and C++', () => {
  it('reads a C function behind a macro', async () => {
    const source =
      'CURL_EXTERN CURLcode curl_global_init(void);\nSQLITE_API char *sqlite3_sql(int a);\nBOOL plain(void);\nHRESULT WINAPI both(void);\n';
    const { definitions, outcome } = await parse('a.h', source);
    expect(outcome).toBe('parsed');
    expect(definitions.map(({ name, kind, signature }) => [name, kind, signature])).toEqual([
      ['curl_global_init', 'function', 'CURLcode curl_global_init(void)'],
      ['sqlite3_sql', 'function', 'char *sqlite3_sql(int a)'],
      ['plain', 'function', 'BOOL plain(void)'],
      ['both', 'function', 'WINAPI both(void)'],
    ]);
  });

  it.each([
    ['two macros before it', 'API WARN int one(const ctx *c);', 'int one(const ctx *c)'],
    ['macros around it', 'API WARN int one(int a) NONNULL(1) PURE;', 'int one(int a) NONNULL(1) PURE'],
    ['a word behind it', 'int one(void) __must_check;', 'int one(void) __must_check'],
    ['a word behind its last line', 'int one(int a,\n\tint b) __must_check;', 'int one(int a, int b) __must_check'],
    ['a macro behind a bracket of its own', 'int one(\n  int a\n) NONNULL(1);', 'int one(int a) NONNULL(1)'],
  ])('reads a C function with %s', async (_, source, signature) => {
    const { definitions, outcome } = await parse('a.h', `${source}\nint two(void);\n`);
    expect(outcome).toBe('parsed');
    expect(definitions).toMatchObject([
      { name: 'one', kind: 'function', signature },
      { name: 'two', kind: 'function' },
    ]);
  });

  it.each([
    ['class EXPORT Foo {', 'class', 'class EXPORT Foo'],
    ['class LIB_API(1) Foo final : public Base {', 'class', 'class LIB_API(1) Foo final : public Base'],
    ['class EXPORT Foo\n    : public Base {', 'class', 'class EXPORT Foo : public Base'],
    ['struct PACKED EXPORT Foo\n{', 'struct', 'struct PACKED EXPORT Foo'],
  ])('reads a C++ type behind a macro: %j', async (head, kind, signature) => {
    const { definitions, outcome } = await parse('a.hpp', `${head}\n public:\n  int open();\n};\n`);
    expect(outcome).toBe('parsed');
    expect(definitions).toMatchObject([
      { name: 'Foo', kind, signature, parent: -1 },
      { name: 'open', kind: 'method', parent: 0 },
    ]);
  });

  it.each([
    ['int open() LOCKS(mu_);', 'int open() LOCKS(mu_)'],
    [
      'inline std::string* open(int a) const LOCKS(mu_) { return 1; }',
      'inline std::string* open(int a) const LOCKS(mu_)',
    ],
    ['int open(int a,\n      int b)\n      LOCKS(mu_) NO_CHECKS;', 'int open(int a, int b) LOCKS(mu_) NO_CHECKS'],
    ['std::map<int, bool> rows_ GUARDED_BY(mu_);\n  int open();', 'int open()'],
    ['bool done_[2]\n      GUARDED_BY(mu_) = {};\n  int open();', 'int open()'],
    ['Table* const table GUARDED_BY(mu_){nullptr};\n  int open();', 'int open()'],
  ])('reads C++ members before a macro: %j', async (members, signature) => {
    const { definitions, outcome } = await parse('a.hpp', `class Foo {\n  ${members}\n  int next();\n};\n`);
    expect(outcome).toBe('parsed');
    expect(definitions.map((each) => [each.name, each.signature])).toEqual([
      ['Foo', 'class Foo'],
      ['open', signature],
      ['next', 'int next()'],
    ]);
  });

  it('takes no type or value in capitals for a macro', async () => {
    const source =
      'struct STATE one;\nstruct STATE two(void);\nint three = (int) LIMIT;\nclass FOUR final {\n  int run();\n};\n#define FIVE(a) (a) LIMIT(1);\nstruct six {\n  static const UINT COUNT = 1;\n  static HRESULT CREATE(int a);\n  static int GET(void);\n  long long MAX;\n};\n';
    const { definitions, outcome } = await parse('a.hpp', source);
    expect(outcome).toBe('parsed');
    expect(definitions.map(({ name, signature }) => [name, signature])).toEqual([
      ['one', 'struct STATE one'],
      ['two', 'struct STATE two(void)'],
      ['three', 'int three = (int) LIMIT'],
      ['FOUR', 'class FOUR final'],
      ['run', 'int run()'],
      ['FIVE', '#define FIVE(a)'],
      ['six', 'struct six'],
      ['CREATE', 'static HRESULT CREATE(int a)'],
      ['GET', 'static int GET(void)'],
    ]);
  });

  it('reads a C pointer to a function behind a macro', async () => {
    const source =
      'typedef BOOL (PASCAL *Connect)\n  (SOCKET s, const struct sockaddr* name);\ntypedef DWORD (WINAPI * Register)(DWORD flags);\n';
    const { definitions, outcome } = await parse('a.h', source);
    expect(outcome).toBe('parsed');
    expect(definitions.map(({ name, kind }) => [name, kind])).toEqual([
      ['Connect', 'type'],
      ['Register', 'type'],
    ]);
    expect(definitions[1]?.signature).toBe('typedef DWORD (WINAPI * Register)(DWORD flags)');
  });
});
