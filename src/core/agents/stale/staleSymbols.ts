/**
 * Which named symbols the code of a workspace does not have. A name is taken for one of this code in two cases only: it
 * is qualified by a name that is defined here, or it is a word that only code has and its sentence names a file. APIs of
 * others look the same and are nowhere in the code either.
 */
import type { WordStanding } from '../../repomap/ranking/wordUsage';
import type { MarkdownSpan } from './markdownSpans';
import { isDistinctive, type SymbolMention, symbolMention } from './symbolMention';

/** A mention in the file where it stands. */
export interface PlacedSymbol {
  readonly file: string;
  readonly mention: SymbolMention;
  /** Its sentence names a file of code. */
  readonly isBesideFile: boolean;
}

/** A file of code in a code span: `src/a.ts`, `conftest.py`. */
const CODE_FILE =
  /`[\w@./()[\]-]*\w\.(?:[mc]?[jt]sx?|pyi?|go|rs|java|kts?|cs|rb|php|swift|scala|c|cc|cpp|h|hpp|zig|dart|exs?|lua|proto|vue|svelte)(?::\d+)?`/;
/** Last parts that make a qualified name a file, a domain or a key of settings. */
const FILE_ENDING =
  /\.(?:md|mdx|mdc|json[5cl]?|ya?ml|toml|[mc]?[jt]sx?|d|pyi?|go|rs|rb|java|kts?|cs|csproj|sln|swift|c|cc|cpp|h|hpp|zig|zon|sh|lock|txt|cfg|conf|ini|env|html?|css|scss|sql|proto|xml|tsv|csv|log|nix|com|org|net|dev|io|ai|app|local|exe|snap|svg|png|vue|svelte|tf)$/i;
/** Names that stand for others. */
const PLACEHOLDER = /^(?:my|your|some|foo|bar|baz|qux|example|new)(?![a-z])|Foo|(?:^|_)foo(?:_|$)|Example|XXX/;

/** Mentions that can be judged by their form; whether they are stale is asked of the index. */
export function symbolClaims(file: string, spans: readonly MarkdownSpan[]): readonly PlacedSymbol[] {
  return spans.flatMap((span): PlacedSymbol[] => {
    const mention = symbolMention(span);
    if (!mention || FILE_ENDING.test(mention.text)) return [];
    if (mention.parts.some((part) => PLACEHOLDER.test(part))) return [];
    return [{ file, mention, isBesideFile: CODE_FILE.test(span.context.sentence) }];
  });
}

/** The words that `staleSymbols` must know the standing of, each once. */
export function symbolWords(placed: readonly PlacedSymbol[]): readonly string[] {
  return [...new Set(placed.flatMap(({ mention }) => mention.parts))];
}

/** Those of the mentions that the code does not have. */
export function staleSymbols(
  placed: readonly PlacedSymbol[],
  standing: ReadonlyMap<string, WordStanding>,
): readonly PlacedSymbol[] {
  return placed.filter(({ mention, isBesideFile }) => {
    const last = mention.parts.at(-1) as string;
    if (standing.get(last) !== 'unknown' || last.length < 3) return false;
    if (mention.parts.length > 1) {
      return (
        mention.parts.slice(0, -1).every((part) => standing.get(part) === 'defined') && isTypeName(mention.parts[0])
      );
    }
    return isBesideFile && isDistinctive(last) && !/^[A-Z\d_]+$/.test(last);
  });
}

/** A type, as most languages write them: lower-case qualifiers are as often an alias of somebody else's module. */
function isTypeName(part: string | undefined): boolean {
  return part !== undefined && /^_*[A-Z]\w*[a-z]/.test(part);
}
