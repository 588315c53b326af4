import { describe, expect, it } from 'vitest';
import { packFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import { scanWords } from '../../../../../src/core/repomap/facts/identifiers';
import type { Definition, FileFacts } from '../../../../../src/core/repomap/facts/types';
import { RepoIndex } from '../../../../../src/core/repomap/index/repoIndex';
import { packWords } from '../../../../../src/core/repomap/index/wordPostings';
import { leastShareFor, selectMap } from '../../../../../src/core/repomap/map/selection';
import { parseTask } from '../../../../../src/core/repomap/ranking/query';
import type { TaskCorpus } from '../../../../../src/core/repomap/ranking/taskCorpus';
import type { TermHits } from '../../../../../src/core/repomap/ranking/taskHits';
import { focusFirst, taskOrder } from '../../../../../src/core/repomap/ranking/taskOrder';
import { strongestTerms, TaskRanker } from '../../../../../src/core/repomap/ranking/taskRanking';
import { TASK_WEIGHTS, type TaskWeights } from '../../../../../src/core/repomap/ranking/taskWeights';
import { inEnglish } from '../../../../../src/core/text/phrase';
import { exactTokenizer } from '../../../../support/exactTokenizer';
import { lexisOf } from '../../../../support/lexerOf';
import { definition, facts } from '../../../../support/repoMapBuilders';

const tokenizer = exactTokenizer('o200k_base');
const lexis = lexisOf('typescript');

/** Facts of a file: each definition is a block of lines that starts with its name. */
function source(path: string, blocks: Readonly<Record<string, string>>, more: Partial<Definition> = {}): FileFacts {
  let line = 1;
  let text = '';
  const definitions = Object.entries(blocks).map(([name, body]) => {
    const lines = `${name} ${body}`.split('\n').length;
    const made = definition(name, { lineStart: line, lineEnd: line + lines - 1, ...more });
    line += lines;
    text += `${name} ${body}\n`;
    return made;
  });
  return { ...facts(path, definitions), ...packWords(scanWords(text, lexis), definitions, line) };
}

const indexOf = (files: readonly FileFacts[]): RepoIndex => {
  const index = new RepoIndex();
  for (const file of files) index.upsert(packFacts(file));
  return index;
};

/** Names in rank order. */
function namesFor(files: readonly FileFacts[], task: string, weights: Partial<TaskWeights> = {}): readonly string[] {
  const { order, corpus } = new TaskRanker(indexOf(files), { ...TASK_WEIGHTS, ...weights }).rank(parseTask(task));
  return [...order()].map(({ fileAt, index }) => corpus.files[fileAt]?.file.definitions[index]?.name ?? '');
}

const filler = Array.from({ length: 12 }, (_, at) =>
  source(`src/filler${at}.ts`, { [`unrelated${at}`]: `quux corge grault waldo${at}` }),
);

describe('a task finds', () => {
  it('the definition whose body has its words, in prose against identifiers', () => {
    const files = [source('src/a.ts', { save: 'writeCookieJar(path)', load: 'readFile(path)' }), ...filler];
    expect(namesFor(files, 'Cookies are lost: the jar is not written')[0]).toBe('save');
  });

  it('the definition that it names over those that merely use it', () => {
    const files = [
      source('src/a.ts', { user1: 'openStore openStore other' }),
      source('src/b.ts', { openStore: 'something' }),
      ...filler,
    ];
    expect(namesFor(files, 'x\n`openStore` is slow')[0]).toBe('openStore');
  });

  it('the member of the owner that it names', () => {
    const inClass = (path: string, owner: string): FileFacts => {
      const text = `${owner}\nsend body\n`;
      const definitions = [
        definition(owner, { kind: 'class', lineStart: 1, lineEnd: 2 }),
        definition('send', { kind: 'method', lineStart: 2, lineEnd: 2, parent: 0 }),
      ];
      return { ...facts(path, definitions), ...packWords(scanWords(text), definitions, 2) };
    };
    const index = indexOf([inClass('src/x1.ts', 'Alpha'), inClass('src/x2.ts', 'Beta'), ...filler]);
    const { order, corpus } = new TaskRanker(index).rank(parseTask('z\nBeta.send hangs'));
    const first = [...order()].find(
      ({ fileAt, index: at }) => corpus.files[fileAt]?.file.definitions[at]?.name === 'send',
    );
    expect(corpus.files[first?.fileAt ?? -1]?.file.path).toBe('src/x2.ts');
  });

  it('the innermost frame of a trace, whatever folder the trace was in', () => {
    const files = [
      source('src/pkg/store.py', { outer: 'inner()', inner: 'boom' }),
      source('src/other/store.py', { inner: 'different' }),
      ...filler,
    ];
    const trace =
      'Crash\n  File "/usr/lib/site-packages/pkg/store.py", line 1, in outer\n  File "/usr/lib/site-packages/pkg/store.py", line 2, in inner\n';
    const { order, corpus, exact } = new TaskRanker(indexOf(files)).rank(parseTask(trace));
    const [first] = order();
    expect(corpus.files[first?.fileAt ?? -1]?.file.path).toBe('src/pkg/store.py');
    expect([...exact.frames].filter((score) => score > 0).sort()).toEqual([expect.closeTo(0.85), 1]);
  });

  it('what is at the line of a place without a name', () => {
    const files = [source('src/store.c', { outer: 'one', inner: 'two' }), ...filler];
    const places = [
      [1, 'outer'],
      [2, 'inner'],
    ] as const;
    for (const [line, name] of places) {
      const task = parseTask(`Overflow\n\nlib/src/store.c:${line}:7: runtime error: overflow\n`);
      const { corpus, exact } = new TaskRanker(indexOf(files)).rank(task);
      const raised = [...exact.frames.entries()].filter(([, score]) => score > 0);
      const names = raised.map(([at]) => {
        const { fileAt, index } = corpus.locate(at);
        return corpus.files[fileAt]?.file.definitions[index]?.name;
      });
      expect(names).toEqual([name]);
      expect(raised[0]?.[1]).toBeCloseTo(0.7);
    }
  });

  it('what the matching definition calls, one step away', () => {
    const files = [
      source('src/a.ts', { matching: 'zebra helperFn' }),
      source('src/b.ts', { helperFn: 'nothing' }),
      ...filler,
    ];
    expect(namesFor(files, 'zebra')).toEqual(['matching', 'helperFn']);
    expect(namesFor(files, 'zebra', { walk: 0 })).toEqual(['matching']);
  });

  it('the same behind thousands of other calls', () => {
    const names = Array.from({ length: 70 }, (_, at) => `each${at}`);
    const files = [
      source('src/a.ts', Object.fromEntries(names.map((name) => [name, names.join(' ')]))),
      source('src/b.ts', { matching: 'zebra helperFn' }),
      source('src/c.ts', { helperFn: 'nothing' }),
    ];
    expect(namesFor(files, 'zebra')).toEqual(['matching', 'helperFn']);
  });

  it('words of code before words that stand in comments alone', () => {
    const files = [
      source('src/a.ts', { first: 'one\n// accidentally' }),
      source('src/b.ts', { second: 'clipping two' }),
      ...filler,
    ];
    expect(namesFor(files, 'Accidentally clipping')[0]).toBe('second');
    expect(namesFor(files, 'Accidentally clipping', { prose: 0 })[0]).toBe('first');
  });

  it('the enumeration that lists the value which it names', () => {
    const files = [
      source('src/a.ts', { user: 'ACCEPT_EMPTY ACCEPT_EMPTY one' }),
      source('src/b.ts', { Feature: 'ACCEPT_EMPTY false other more words of it' }, { kind: 'enum' }),
      ...filler,
    ];
    expect(namesFor(files, 'Improve ACCEPT_EMPTY')[0]).toBe('Feature');
    expect(namesFor(files, 'Improve ACCEPT_EMPTY', { members: 0 })[0]).toBe('user');
  });

  it('other forms of its words', () => {
    const files = [source('src/a.ts', { first: 'validator' }), ...filler];
    expect(namesFor(files, 'validation fails')).toContain('first');
    expect(namesFor(files, 'validation fails', { stems: 0 })).not.toContain('first');
  });

  it('tests only when it is about tests', () => {
    const files = [source('src/a.ts', { parse: 'zebra' }), source('test/a.test.ts', { parsesZebra: 'zebra zebra' })];
    expect(namesFor(files, 'zebra is wrong')).toEqual(['parse']);
    expect(namesFor(files, 'Fix the failing test of zebra')).toContain('parsesZebra');
  });

  it.each([
    ['docs/guide.md', 'Update the docs about zebra'],
    ['examples/zebra.ts', 'Fix the examples of zebra'],
    ['scripts/zebra.ts', 'Improve the scripts for zebra'],
    ['dist/zebra.js', 'zebra is wrong\nin `dist/zebra.js`'],
    ['vendor/zebra.js', 'zebra is wrong in vendor/zebra.js'],
  ])('the product before %s, unless it is about that', (path, about) => {
    const files = [source(path, { other: 'zebra zebra zebra' }), source('src/a.ts', { own: 'zebra lion' }), ...filler];
    expect(namesFor(files, 'zebra is wrong', { walk: 0 })).toEqual(['own', 'other']);
    expect(namesFor(files, about, { walk: 0 })[0]).toBe('other');
  });

  it('unit tests inside of a source file last', () => {
    const definitions = [
      definition('zebra', { lineStart: 1 }),
      definition('tests', { kind: 'module', lineStart: 2, lineEnd: 3 }),
      definition('zebra_works', { lineStart: 3, lineEnd: 3, parent: 1 }),
    ];
    const file = {
      ...facts('src/a.rs', definitions),
      ...packWords(scanWords('zebra\ntests\nzebra_works zebra\n'), definitions, 3),
    };
    expect(namesFor([file, ...filler], 'zebra', { walk: 0 })).toEqual(['zebra']);
  });

  it('nothing where no word is known', () => {
    expect(namesFor(filler, 'entirely foreign')).toEqual([]);
    expect(namesFor([], 'anything')).toEqual([]);
    expect(namesFor(filler, '')).toEqual([]);
  });
});

describe('any text', () => {
  const files = [
    source('src/net/retry.ts', { retryLater: 'delay attempts backoff', giveUp: 'attempts' }),
    source('src/net/socket.ts', { openSocket: 'connect port host' }),
    source('src/translate.ts', { translate: '\u4e2d\u6587\u7ffb\u8bd1 locale' }),
    ...filler,
  ];
  const firstFile = (task: string): string | undefined => {
    const index = indexOf(files);
    const map = selectMap(
      index,
      taskOrder(new TaskRanker(index).rank(parseTask(task))),
      { budgetTokens: 600 },
      tokenizer,
    );
    expect(tokenizer.count(map.render(map.size).text)).toBeLessThanOrEqual(600);
    return map.render(map.size).view.items[0]?.path;
  };

  it.each([
    ['only a path', 'src/net/socket.ts', 'src/net/socket.ts'],
    ['only a path with a line', './src/net/socket.ts:12', 'src/net/socket.ts'],
    ['only a Windows path', 'src\\net\\socket.ts', 'src/net/socket.ts'],
    ['only a file name', 'socket.ts', 'src/net/socket.ts'],
    ['only one identifier', 'openSocket', 'src/net/socket.ts'],
    ['only one word, in other letters', 'RETRY', 'src/net/retry.ts'],
    ['only a trace', '    at retryLater (/app/src/net/retry.ts:1:9)\n    at node:internal/x:1:1', 'src/net/retry.ts'],
    ['only code', '```ts\nopenSocket(host, port);\n```', 'src/net/socket.ts'],
    ['an open fence', '```\nopenSocket(host', 'src/net/socket.ts'],
    ['Chinese', '\u4e2d\u6587\u7ffb\u8bd1\u6709\u95ee\u9898', 'src/translate.ts'],
    ['Chinese around an identifier', '\u8c03\u7528openSocket\u65f6\u5d29\u6e83', 'src/net/socket.ts'],
    ['carriage returns', 'Crash\r\n\r\nwhen `openSocket` runs\r\n', 'src/net/socket.ts'],
    ['a log of 200 kB', `openSocket hangs\n${'2024-01-01 INFO nothing of note\n'.repeat(6500)}`, 'src/net/socket.ts'],
  ])('%s leads to the file', (_what, task, path) => {
    expect(firstFile(task)).toBe(path);
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t'],
    ['signs', '?!… \u{1F600} --- ###'],
    ['half a character', '\ud83d'],
  ])('%s finds nothing and does no harm', (_what, task) => {
    expect(new TaskRanker(indexOf(files)).rank(parseTask(task)).hasMatches).toBe(false);
  });
});

describe('a file whose path the task spells out', () => {
  const files = [
    source('app/page.tsx', { shopPage: 'page lib page lib' }),
    source('lib/page.ts', { other: 'nothing' }),
    source('src dir/my file.py', { thing: 'nothing', another: 'nothing' }),
    source('test/page.test.ts', { checks: 'page' }),
    facts('lib/empty.ts', []),
    ...filler,
  ];
  /** The first file of a map and what is shown of it. */
  function firstOf(task: string, budgetTokens: number, focus: readonly string[] = []): readonly string[] {
    const index = indexOf(files);
    const order = focusFirst(taskOrder(new TaskRanker(index).rank(parseTask(task))), focus);
    const map = selectMap(index, order, { budgetTokens, leastShare: leastShareFor(undefined) }, tokenizer);
    const { text, view } = map.render(map.size);
    expect(tokenizer.count(text)).toBeLessThanOrEqual(budgetTokens);
    const [first] = view.items;
    return first ? [first.path, ...first.symbols.map(({ name }) => name)] : [];
  }

  it.each([
    ['before what its words match better', 'lib/page.ts', ['lib/page.ts', 'other']],
    ['with all that speaks for nothing more', 'src dir/my file.py', ['src dir/my file.py', 'thing', 'another']],
    ['without a definition', 'lib/empty.ts', ['lib/empty.ts']],
    ['in the body', 'The page of the shop\n\nsee lib/page.ts', ['lib/page.ts', 'other']],
    ['as a test that the title names', 'A page and test/page.test.ts', ['test/page.test.ts', 'checks']],
  ])('is first in the map, %s', (_how, task, shown) => {
    expect(firstOf(task, 256)).toEqual(shown);
  });

  it.each([
    ['without a definition, in prose', 'page of lib/empty.ts'],
    ['as a test, in the body', 'A page\n\nand test/page.test.ts'],
    ['as one of many, which are a log', `page\n\n${files.map(({ path }) => `in ${path} now`).join('\n')}`],
  ])('has no row for certain %s', (_how, task) => {
    expect(firstOf(task, 256)).toEqual(['app/page.tsx', 'shopPage']);
  });

  it('is its path alone where the budget holds no more, and comes after files in focus', () => {
    expect(firstOf('lib/page.ts', 5)).toEqual(['lib/page.ts']);
    expect(firstOf('lib/page.ts', 256, ['app/page.tsx'])).toEqual(['app/page.tsx', 'shopPage']);
  });

  it('is parsed although words alone do not lead to it', () => {
    const many = Array.from({ length: 600 }, (_, at) => source(`lib/lib${at}/page.ts`, { page: 'lib page ts' }));
    const scanned = { ...facts('lib/page.ts', []), outcome: 'scanned' } as const;
    const ranking = new TaskRanker(indexOf([...many, scanned])).rank(parseTask('page lib\n\nlib/page.ts'));
    expect(ranking.unparsed).toContain('lib/page.ts');
  });
});

describe('files of a task', () => {
  it('that it names by path come first, and docs after sources', () => {
    const files = [
      source('docs/conf.py', { one: 'zebra zebra zebra' }),
      source('src/b.ts', { two: 'zebra' }),
      source('src/deep/c.ts', { three: 'zebra lion' }),
    ];
    const { files: scored, corpus } = new TaskRanker(indexOf(files)).rank(parseTask('zebra\nin `deep/c.ts`'));
    const byRank = corpus.files
      .map(({ file }, at) => ({ path: file.path, rank: scored.ranks[at] ?? -1 }))
      .sort((a, b) => a.rank - b.rank);
    expect(byRank.map(({ path }) => path)).toEqual(['src/deep/c.ts', 'src/b.ts', 'docs/conf.py']);
  });

  it('is no page of the docs that has the name of the part that the title begins with', () => {
    const files = [
      source('docs/tool.md', { 'tool dump': 'tool dump of series', 'tool list': 'tool list of series' }),
      source('cmd/tool/dump.ts', { dumpSeries: 'dump of series' }),
      ...filler,
    ];
    expect(namesFor(files, 'tool: dump loses the first series')[0]).toBe('dumpSeries');
    expect(namesFor(files, 'Update the docs of tool dump')[0]).toBe('tool dump');
  });
});

describe('the file ranked first', () => {
  const firstOf = (files: readonly FileFacts[], task: string, weights: Partial<TaskWeights> = {}): string => {
    const ranking = new TaskRanker(indexOf(files), { ...TASK_WEIGHTS, ...weights }).rank(parseTask(task));
    return ranking.corpus.files[ranking.files.ranks.indexOf(0)]?.file.path ?? '';
  };

  it('is in the package that the title names', () => {
    const files = [
      source('packages/client/src/a.ts', { one: 'zebra' }),
      source('packages/react-query/src/b.ts', { two: 'zebra' }),
      ...filler,
    ];
    expect(firstOf(files, 'fix(react-query): zebra')).toBe('packages/react-query/src/b.ts');
    expect(firstOf(files, 'fix(client): zebra')).toBe('packages/client/src/a.ts');
  });

  it('is one that commits with such a title changed', () => {
    const files = [source('src/a.ts', { render: 'zebra' }), source('src/b.ts', { render: 'zebra' }), ...filler];
    const ranker = new TaskRanker(indexOf(files));
    const firstFor = (): readonly string[] => {
      const ranking = ranker.rank(parseTask('Draw the zebra with stripes'));
      const map = selectMap(ranking.corpus.index, taskOrder(ranking), { budgetTokens: 600 }, tokenizer);
      const [first] = map.explain(map.size).files;
      return [first?.path ?? '', ...(first?.because ?? []).map(inEnglish)];
    };
    expect(firstFor()[0]).toBe('src/a.ts');
    ranker.learn({ churn: [['src/b.ts', 1]], messages: [['fix: stripes of the zebra', [0]]] });
    expect(firstFor()).toEqual(expect.arrayContaining(['src/b.ts', 'changed by commits with such titles (1)']));
    // No history puts a file into the map in which nothing matches.
    ranker.learn({ churn: [['src/filler1.ts', 1]], messages: [['fix: stripes of the zebra', [0]]] });
    expect(firstFor()[0]).toBe('src/a.ts');
  });

  it('has other forms of the words', () => {
    const first = (other: string): string | undefined => {
      const files = [
        source('src/a.ts', { one: 'horse', two: 'horse' }),
        source('src/b.ts', { one: 'horse', two: other }),
        ...filler,
      ];
      const { corpus, files: scores } = new TaskRanker(indexOf(files)).rank(parseTask('Horse and zebras'));
      return corpus.files[scores.ranks.indexOf(0)]?.file.path;
    };
    expect(first('horse')).toBe('src/a.ts');
    expect(first('horse zebra')).toBe('src/b.ts');
  });

  it('has several definitions that fit rather than one', () => {
    const files = [
      source('src/a.ts', { one: 'zebra lion', two: 'quux', three: 'grault' }),
      source('src/b.ts', { one: 'zebra', two: 'lion zebra', three: 'zebra' }),
      ...filler,
    ];
    expect(firstOf(files, 'zebra lion')).toBe('src/b.ts');
  });
});

describe('a name in full', () => {
  const member = (path: string, type: string, name: string) => {
    const made = [
      definition(type, { kind: 'class', lineStart: 1, lineEnd: 3 }),
      definition(name, { lineStart: 2, lineEnd: 2, parent: 0 }),
    ];
    return { ...facts(path, made), ...packWords(scanWords(`${type}\n${name} body\nend`), made, 4) };
  };

  it('leads to the member of that class, in that folder, in the ways of several languages', () => {
    const files = [
      member('lib/rubocop/client.rb', 'Client', 'forward_to_server?'),
      member('lib/rubocop/server.rb', 'Server', 'forward_to_server?'),
      member('net/rpc/server.go', 'Server', 'Shutdown'),
      member('net/http/server.go', 'Server', 'Shutdown'),
      ...filler,
    ];
    const first = (task: string) => {
      const { order, corpus, files: scores } = new TaskRanker(indexOf(files)).rank(parseTask(task));
      const [best] = order();
      const { file } = corpus.files[best?.fileAt ?? -1] ?? {};
      expect(scores.ranks[best?.fileAt ?? -1]).toBe(0);
      return `${file?.path} ${file?.qualifiedNames[best?.index ?? -1]}`;
    };
    expect(first('It is slow\nin RuboCop::Server.forward_to_server?')).toBe(
      'lib/rubocop/server.rb Server.forward_to_server?',
    );
    expect(first('It is slow\nwhy is RuboCop::Client.forward_to_server slow')).toBe(
      'lib/rubocop/client.rb Client.forward_to_server?',
    );
    expect(first('It hangs\nnet/http.(*Server).Shutdown never ends')).toBe('net/http/server.go Server.Shutdown');
    expect(first('It hangs\nnet/rpc.(*Server).Shutdown never ends')).toBe('net/rpc/server.go Server.Shutdown');
  });

  it('of a file without its extension puts it into the map, even where nothing in it matches', () => {
    const files = [
      source('lib/vtls/openssl.c', { alpha: 'one', beta: 'two' }),
      source('lib/other.c', { zebra: 'zebra stripes' }),
      ...filler,
    ];
    const names = namesFor(files, 'zebra stripes\n\nalso lib/vtls/openssl');
    expect(names).toEqual(expect.arrayContaining(['zebra', 'alpha', 'beta']));
    expect(namesFor(files, 'zebra stripes\n\nalso vtls/nothing')).not.toContain('alpha');
    expect(namesFor(files, 'openssl: zzzz')).toEqual(expect.arrayContaining(['alpha', 'beta']));
  });
});

describe('taskOrder', () => {
  it('puts the file that fits as a whole before the file of one lucky definition', () => {
    const files = [
      source('src/zebra.ts', { stripes: 'zebra lion', mane: 'zebra lion tiger', paws: 'tiger lion zebra' }),
      source('src/lucky.ts', { zebraLionTiger: 'zebra' }),
      ...filler,
    ];
    const index = indexOf(files);
    const ranking = new TaskRanker(index).rank(parseTask('zebra lion tiger\nin `src/zebra.ts`'));
    const [first] = ranking.order();
    expect(ranking.corpus.files[first?.fileAt ?? -1]?.file.path).toBe('src/lucky.ts');
    const map = selectMap(index, taskOrder(ranking), { budgetTokens: 600 }, tokenizer);
    for (let size = map.size; size > 1; size--) {
      const paths = map.render(size).view.items.map(({ path }) => path);
      if (paths.includes('src/zebra.ts')) expect(paths[0]).toBe('src/zebra.ts');
    }
    expect(map.render(map.size).view.items[0]?.path).toBe('src/zebra.ts');
  });

  it('ends a map where relevance does, unless the budget that was named is large', () => {
    const near = source('src/near.ts', { zebraStripes: 'zebra stripes', mane: 'zebra' });
    const index = indexOf([near, source('src/far.ts', { tail: 'zebra one two three four five six seven' }), ...filler]);
    const order = taskOrder(new TaskRanker(index).rank(parseTask('`zebraStripes` zebra')));
    const shown = (named?: number): readonly string[] => {
      const limits = { budgetTokens: named ?? 4096, leastShare: leastShareFor(named) };
      const map = selectMap(index, order, limits, tokenizer);
      return map.render(map.size).view.items.flatMap(({ symbols }) => symbols.map(({ name }) => name));
    };
    const all = selectMap(index, order, { budgetTokens: 4096 }, tokenizer);
    const everything = all.render(all.size).view.items.flatMap(({ symbols }) => symbols.map(({ name }) => name));
    expect(everything).toEqual(expect.arrayContaining(['zebraStripes', 'tail']));
    expect(shown(512)).toEqual(shown());
    expect(shown(512)).toContain('zebraStripes');
    expect(shown(512)).not.toContain('tail');
    expect(shown(1_000_000)).toEqual(everything);
    expect(shown(256).length).toBeLessThanOrEqual(shown(512).length);
  });

  it('says why each shown file and symbol is there', () => {
    const files = [
      source('src/cookies.ts', { saveJar: 'zebra helperFn' }),
      source('src/b.ts', { helperFn: 'nothing' }),
      ...filler,
    ];
    const index = indexOf(files);
    const ranking = new TaskRanker(index).rank(parseTask('zebra\n`saveJar` loses cookies'));
    const map = selectMap(index, taskOrder(ranking), { budgetTokens: 600 }, tokenizer);
    const [first, second] = map.explain(map.size).files;
    expect(first?.path).toBe('src/cookies.ts');
    expect(first?.because.map(inEnglish)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^file rank 1/), expect.stringMatching(/name is in the task/)]),
    );
    expect(first?.symbols[0]?.because.map(inEnglish).join('; ')).toMatch(
      /^score 1\.4; named by the task \(1\); words savejar 0\.31/,
    );
    expect(second?.symbols[0]?.because.map(inEnglish).join('; ')).toMatch(/near saveJar/);
  });
});

it('names the words and the neighbours of a definition by what they add, the most first', () => {
  const files = [
    source('src/a.ts', { target: 'common zebra zebra zebra nearFirst nearBest' }),
    source('src/b.ts', { nearFirst: 'zebra' }),
    source('src/c.ts', { nearBest: 'zebra zebra zebra common giraffe' }),
    ...filler.map((file, at) => (at < 6 ? source(`src/common${at}.ts`, { [`c${at}`]: 'common' }) : file)),
  ];
  const index = indexOf(files);
  const order = taskOrder(new TaskRanker(index).rank(parseTask('common zebra giraffe')));
  const file = index.fileAt('src/a.ts')!;
  const because = order.explain({ file, index: 0 }).map(inEnglish).join('; ');
  const words = /words ([^;]*)/.exec(because)?.[1]?.split(', ') ?? [];
  const shares = words.map((word) => Number(word.split(' ')[1]));
  expect(words.map((word) => word.split(' ')[0])).toEqual(['zebra', 'common']);
  expect(shares[0]).toBeGreaterThan(shares[1]!);
  expect(because).toContain('near nearBest, nearFirst');
});

it('a term that no definition holds takes no place among the strongest', () => {
  const hit = (term: string, definitions: readonly number[], holders: number): TermHits =>
    ({ query: { term, weight: 1 }, definitions, holders, total: 9, inComments: 0 }) as unknown as TermHits;
  const hits = [hit('nowhere', [], 0), hit('common', [1, 2, 3], 30), hit('rare', [4], 1), hit('other', [5], 1)];
  const corpus = { likelyDefinitions: 100 } as TaskCorpus;
  const terms = (maxTerms: number): readonly string[] =>
    strongestTerms(hits, corpus, { ...TASK_WEIGHTS, maxTerms }).map((each) => each.hit.query.term);
  expect(terms(9)).toEqual(['other', 'rare', 'common']);
  expect(terms(2)).toEqual(['other', 'rare']);
});
