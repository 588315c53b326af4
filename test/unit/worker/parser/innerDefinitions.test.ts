import { describe, expect, it } from 'vitest';
import { qualifiedNames } from '../../../../src/core/repomap/index/indexedFile';
import { TreeSitterParser } from '../../../../src/worker/parser/fileParser';
import { nodeModulesAssets } from '../../../support/nodeModulesAssets';

const parser = new TreeSitterParser(nodeModulesAssets);

/** `10-12 function outer.inner`, in document order. */
async function definitionsOf(path: string, text: string): Promise<readonly string[]> {
  const facts = await parser.parseFile({ path, contentHash: '0', bytes: new TextEncoder().encode(text) });
  expect(facts.outcome).toBe('parsed');
  const names = qualifiedNames(facts.definitions);
  return facts.definitions.map(({ kind, lineStart, lineEnd }, at) => `${lineStart}-${lineEnd} ${kind} ${names[at]}`);
}

/** Statements that make a function long. */
const fill = (statement: string): string => `${statement}\n`.repeat(32);

const CASES: readonly (readonly [
  path: string,
  head: string,
  inner: string,
  tail: string,
  expected: readonly string[],
])[] = [
  [
    'a.js',
    `function outer(x) {\n${fill('  step(x);')}`,
    '  let late;\n  const one = (a) => a;\n  late = function () {\n    one();\n  };\n  function two() {\n    one();\n  }\n  const local = 1;\n  const api = {\n    get (k) {\n      return k;\n    },\n    put: (k) => k,\n    size: 1,\n  };\n  return wrap({\n    close() {\n      two();\n    },\n  });\n',
    '}\n',
    [
      '35-35 function outer.one',
      '36-38 function outer.late',
      '39-41 function outer.two',
      '43-49 constant outer.api',
      '44-46 method outer.api.get',
      '47-47 method outer.api.put',
      '51-53 method outer.close',
    ],
  ],
  [
    'a.ts',
    `export function outer(x: number): void {\n${fill('  step(x);')}`,
    '  const patch = (\n    a: number,\n  ): void => {\n    a++;\n  };\n  class Node {\n    visit(): void {}\n  }\n  for (const y of z) {\n    each(y, () => {\n      async function deep<T>(t: T): Promise<void> {}\n    });\n  }\n',
    '}\n',
    [
      '34-38 function outer.patch',
      '39-41 class outer.Node',
      '40-40 method outer.Node.visit',
      '44-44 function outer.deep',
    ],
  ],
  [
    'a.tsx',
    `export function Panel() {\n${fill('  step();')}`,
    '  const onClick = () => {\n    step();\n  };\n  return <b onClick={onClick} />;\n',
    '}\n',
    ['34-36 function Panel.onClick'],
  ],
  [
    'a.cs',
    `class C\n{\n    void Outer()\n    {\n${fill('        Step();')}`,
    '        int Inner(int a)\n        {\n            return a;\n        }\n        static string Short<T>(T a) => "x";\n        Func<int, int> twice = a =>\n        {\n            return a;\n        };\n        using (var x = Open(1))\n        {\n            Step();\n        }\n',
    '    }\n}\n',
    ['37-40 function C.Outer.Inner', '41-41 function C.Outer.Short', '42-45 function C.Outer.twice'],
  ],
  [
    'a.java',
    `class C {\n    Object outer() {\n${fill('        step();')}`,
    '        Runnable r = () -> {\n            step();\n        };\n        return new Adapter<String>(r) {\n            @Override\n            public String read(In in) {\n                return null;\n            }\n        };\n',
    '    }\n}\n',
    ['35-37 function C.outer.r', '39-42 method C.outer.read'],
  ],
  [
    'a.kt',
    `fun outer() {\n${fill('  step()')}`,
    '  fun inner(a: Int) {\n    step()\n  }\n  val f = { a: Int -> a }\n  val source = object : Source {\n    override fun read(): Int {\n      return 1\n    }\n  }\n',
    '}\n',
    [
      '34-36 function outer.inner',
      '37-37 function outer.f',
      '38-42 variable outer.source',
      '39-41 function outer.source.read',
    ],
  ],
  [
    'a.scala',
    `object O {\n  def outer(): Unit = {\n${fill('    step()')}`,
    '    def inner(a: Int): Int = {\n      a\n    }\n    val f = (a: Int) => a\n    new Handler {\n      def handle(): Unit = {\n        step()\n      }\n    }\n',
    '  }\n}\n',
    ['35-37 function O.outer.inner', '38-38 function O.outer.f', '40-42 function O.outer.handle'],
  ],
  [
    'a.swift',
    `func outer() {\n${fill('  step()')}`,
    '  func inner(a: Int) -> Int {\n    return a\n  }\n  let f: (Int) -> Int = { a in\n    return a\n  }\n',
    '}\n',
    ['34-36 function outer.inner', '37-39 function outer.f'],
  ],
  [
    'a.rs',
    `pub fn outer() {\n${fill('    step();')}`,
    '    fn inner(a: u8) -> u8 {\n        a\n    }\n    struct Guard;\n    impl Drop for Guard {\n        fn drop(&mut self) {\n            step();\n        }\n    }\n    let f = move |a: u8| {\n        a\n    };\n',
    '}\n',
    [
      '34-36 function outer.inner',
      '37-37 struct outer.Guard',
      '39-41 method outer.Guard.drop',
      '43-45 function outer.f',
    ],
  ],
  [
    'a.go',
    `package a\n\nfunc Outer() {\n${fill('\tstep()')}`,
    '\tinner := func(a int) int {\n\t\treturn a\n\t}\n\tvar late = func() {}\n\ttype pair struct {\n\t\ta int\n\t}\n\tc := &Command{\n\t\tRun: func(a int) {\n\t\t\tstep()\n\t\t},\n\t}\n',
    '}\n',
    ['36-38 function Outer.inner', '39-39 function Outer.late', '40-42 struct Outer.pair', '44-46 method Outer.Run'],
  ],
  [
    'a.rb',
    `def outer\n${fill('  step')}`,
    '  twice = lambda do |a|\n    a\n  end\n  once = ->(a) { a }\n  Class.new do\n    def call\n      step\n    end\n  end\n',
    'end\n',
    ['34-36 function outer.twice', '37-37 function outer.once', '39-41 function outer.call'],
  ],
  [
    'a.lua',
    `function outer()\n${fill('  step()')}`,
    '  local function inner(a)\n    return a\n  end\n  local late = function() end\n  return { close = function() end }\n',
    'end\n',
    ['34-36 function outer.inner', '37-37 function outer.late', '38-38 method outer.close'],
  ],
  [
    'a.php',
    `<?php\nfunction outer() {\n${fill('  step();')}`,
    "  $f = function ($a) {\n    return $a;\n  };\n  $g = fn($a) => $a;\n  $all = ['key' => function () {\n    step();\n  }];\n  return new class {\n    public function run() {\n      step();\n    }\n  };\n",
    '}\n',
    ['35-37 function outer.f', '38-38 function outer.g', '39-41 method outer.key', '43-45 method outer.run'],
  ],
  [
    'a.cpp',
    `void outer() {\n${fill('  step();')}`,
    '  auto twice = [&](int a) {\n    return a;\n  };\n  struct Guard {\n    ~Guard() {\n      step();\n    }\n  };\n',
    '}\n',
    ['34-36 function outer.twice', '37-41 struct outer.Guard', '38-40 method outer.Guard.~Guard'],
  ],
];

describe('definitions inside of long functions', () => {
  it.each(CASES)('%s', async (path, head, inner, tail, expected) => {
    const found = await definitionsOf(path, head + inner + tail);
    const nested = found.filter((line) => /^\S+ \S+ (?:[CO]\.)?(?:outer|Panel)\./iu.test(line));
    expect(nested).toEqual(expected);
  });

  it('leaves short functions closed', async () => {
    expect(await definitionsOf('a.js', 'function outer() {\n  const one = (a) => a;\n}\n')).toEqual([
      '1-3 function outer',
    ]);
    expect(
      await definitionsOf(
        'a.cs',
        `class C\n{\n    void F()\n    {\n${fill('        S();').slice(0, 240)}        int G()\n        {\n            return 1;\n        }\n    }\n}\n`,
      ),
    ).toHaveLength(2);
  });

  it('finds functions in the blocks of long Python functions, and in the values of Lua variables', async () => {
    const python = `def outer(a):\n${fill('    step(a)')}    for b in a:\n        def each(c):\n            return c\n        local = 1\n`;
    expect(await definitionsOf('a.py', python)).toEqual(['1-37 function outer', '35-36 function outer.each']);
    const lua = `local made = (function()\n${fill('  step()')}  local one = function(a)\n    return a\n  end\nend)()\n`;
    expect(await definitionsOf('a.lua', lua)).toEqual(['1-37 variable made', '34-36 function made.one']);
  });

  it('finds functions that are values of a constant object, also below its own keys', async () => {
    const found = await definitionsOf(
      'a.ts',
      `export const slice = {\n  name: 'x',\n  reducers: {\n    add(state: S) {\n${fill('      state.a++;')}    },\n  },\n  reset: () => {},\n};\n`,
    );
    expect(found).toEqual(['1-40 constant slice', '4-37 method slice.add', '39-39 method slice.reset']);
  });

  it('finds computed properties with code that only their type uses', async () => {
    expect(
      await definitionsOf('a.kt', 'class A {\n  private val b: Int\n    get() = 1\n  private val c = 2\n}\n'),
    ).toEqual(['1-5 class A', '2-3 property A.b']);
    expect(await definitionsOf('a.swift', 'struct A {\n  private var b: Int { 1 }\n  private let c = 2\n}\n')).toEqual([
      '1-4 struct A',
      '2-2 property A.b',
    ]);
  });
});
