/** What a file is for, as far as its path tells. */
export type PathClass = 'source' | 'test' | 'docs' | 'example' | 'tooling' | 'generated' | 'vendored';

/** RANKING §1.4 lists the folders; file patterns are the test runners' and code generators' own defaults. */
const FOLDER_NAMES: readonly (readonly [PathClass, names: string])[] = [
  ['test', 'test tests testing __tests__ __mocks__ spec specs fixtures testdata e2e testutil'],
  ['test', 'mocks test-data testhelpers simulation snapshots __snapshots__'],
  ['docs', 'docs doc website documentation'],
  ['example', 'examples example samples sample demo demos playground tutorial'],
  ['tooling', 'bench benches benchmark benchmarks scripts script tools ci .github .circleci release'],
  ['generated', 'generated __generated__ gen dist out build .next'],
  ['vendored', 'vendor vendored third_party third-party thirdparty node_modules deps external extern'],
];
const FOLDERS: ReadonlyMap<string, PathClass> = new Map(
  FOLDER_NAMES.flatMap(([pathClass, names]) => names.split(' ').map((name) => [name, pathClass] as const)),
);

const TEST_FILE =
  /^(?:test_.*|conftest|test_?(?:utils?|help(?:er)?s?)|.*_test|.*_spec|.*\.(?:test|spec|tests|e2e|cy|stories|bench|mocks?|fixtures?)|.*Tests?|.*Spec|tests?|setupTests)\.[^.]+$|^Test[A-Z].*\.(?:java|kt|scala|groovy|php)$/u;
const GENERATED_FILE =
  /\.(?:min|bundle|generated|gen|g|pb|pb\.gw)\.[^.]+$|_pb2(?:_grpc)?\.pyi?$|_(?:string|generated)\.go$|\.d\.ts\.map$/u;
/** Folders of sources: what stands below is no build output, whatever it is called (`src/build/arg.rs`). */
const SOURCE_FOLDER = /^(?:src|lib|source|sources)$/iu;
const ONLY_ABOVE_SOURCES: ReadonlySet<string> = new Set(['dist', 'out', 'build', 'deps', 'external', 'ci', 'release']);
/** Maven's and Gradle's source set of the product itself: folders below are packages. */
const MAIN_FOLDER = /^(?:main|[a-z]\w*Main)$/u;
/** Test projects and source sets by name: `Shop.Tests`, `Shop.Tests.Web` (.NET), `jvmTest` (Kotlin), `my-app_test` (Elixir). */
const TEST_FOLDER = /[._-][tT]ests?$|\.Tests?\.|[a-z]Tests?(?:\.|$)/u;
/** Declarations of what lives elsewhere rank with tooling, wherever they are. */
const DECLARATION_FILE = /\.d\.[cm]?ts$/u;
const DOCS_FILE = /\.(?:md|mdx|markdown)$/iu;
const TOOLING_FILE = /^(?:setup|noxfile|tasks|fabfile|build|gulpfile|gruntfile|.*\.config|\..*rc)\.[^.]+$/iu;
/** The strongest reason first. */
const PRECEDENCE: readonly PathClass[] = ['vendored', 'generated', 'test', 'example', 'docs', 'tooling'];

/** Place of a class in `PRECEDENCE`, the end for none. */
type Rank = number;
const RANKS: ReadonlyMap<PathClass, Rank> = new Map(PRECEDENCE.map((pathClass, rank) => [pathClass, rank]));
const NO_RANK: Rank = PRECEDENCE.length;

function rankOf(pathClass: PathClass): Rank {
  return RANKS.get(pathClass) ?? NO_RANK;
}

/** What the folders of a path tell. */
interface FolderClass {
  readonly folder: string;
  readonly rank: Rank;
  /** There `SpringBootTest` and `TestFixture` are what others test with. */
  readonly isInMain: boolean;
}

function classifyFolder(folder: string): FolderClass {
  const segments = folder.split('/');
  let rank = NO_RANK;
  let isInSources = false;
  for (const [at, segment] of segments.entries()) {
    const name = segment.toLowerCase();
    const known = isInSources && ONLY_ABOVE_SOURCES.has(name) ? undefined : FOLDERS.get(name);
    if (known) rank = Math.min(rank, rankOf(known));
    else if (TEST_FOLDER.test(segment)) rank = Math.min(rank, rankOf('test'));
    else if (SOURCE_FOLDER.test(segment)) isInSources = true;
    else if (segments[at - 1] === 'src' && MAIN_FOLDER.test(segment)) return { folder, rank, isInMain: true };
  }
  return { folder, rank, isInMain: false };
}

/** Files come folder by folder, thousands of them. */
let lastFolder: FolderClass = { folder: '', rank: NO_RANK, isInMain: false };

/** Classifies a workspace-relative path; the strongest reason to rank it last wins. */
export function classifyPath(path: string): PathClass {
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(0, slash));
  const base = path.slice(slash + 1);
  if (lastFolder.folder !== folder) lastFolder = classifyFolder(folder);
  const { isInMain } = lastFolder;
  let { rank } = lastFolder;
  const add = (pathClass: PathClass, isIt: () => boolean): void => {
    if (rank > rankOf(pathClass) && isIt()) rank = rankOf(pathClass);
  };
  add('generated', () => GENERATED_FILE.test(base));
  add('test', () => !isInMain && TEST_FILE.test(base));
  add('docs', () => DOCS_FILE.test(base));
  add('tooling', () => DECLARATION_FILE.test(base) || (slash < 0 && TOOLING_FILE.test(base)));
  return PRECEDENCE[rank] ?? 'source';
}
