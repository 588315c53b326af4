import { findPrivateKeys } from '../../core/secrets/privateKeys';
import { findSecretLooks, isPlaceholder } from '../../core/secrets/secretLooks';
import type { SecretMatch, SecretScanner } from '../../core/secrets/secretScanner';
import { SECRET_RULES, type SecretRule } from './secretRules';

type RuleContext = Parameters<SecretRule['creator']['create']>[0];
type RuleReport = Parameters<RuleContext['report']>[0];
type RuleSource = Parameters<NonNullable<ReturnType<SecretRule['creator']['create']>['file']>>[0];

/** A source that is no file: rules that look at names of files take it for any. */
function sourceOf(content: string): RuleSource {
  const unknownPlace = (): never => {
    throw new Error('A text that is scanned has no places.');
  };
  return {
    hasBOM: false,
    content,
    filePath: undefined,
    physicalFilePath: undefined,
    contentType: 'text',
    ext: '',
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: unknownPlace,
    rangeToLocation: unknownPlace,
    positionToIndex: unknownPlace,
    indexToPosition: unknownPlace,
  };
}

/** What a rule says that it found: its message's only value. Its range may be off by what stands before the value. */
function reported({ message, range }: RuleReport, content: string): { readonly value: string; readonly start: number } {
  const data: unknown = message.data;
  const [value] = typeof data === 'object' && data !== null ? Object.values(data) : [];
  const start = typeof value === 'string' && value !== '' ? content.indexOf(value, range[0]) : -1;
  return start < 0 || typeof value !== 'string'
    ? { value: content.slice(range[0], range[1]), start: range[0] }
    : { value, start };
}

function toMatch(rule: SecretRule, report: RuleReport, content: string): SecretMatch | undefined {
  const label = rule.labels?.[report.message.messageId] ?? rule.label;
  if (rule.labels?.[report.message.messageId] === null) return undefined;
  const { value, start } = reported(report, content);
  const secret = rule.part ? rule.part.exec(value)?.groups?.secret : value;
  const isReal = rule.isReal ?? ((text: string) => !isPlaceholder(text));
  if (secret === undefined || !isReal(secret)) return undefined;
  const at = start + value.lastIndexOf(secret);
  return { start: at, end: at + secret.length, label };
}

async function runRule(rule: SecretRule, source: RuleSource): Promise<readonly SecretMatch[]> {
  const found: SecretMatch[] = [];
  const context: RuleContext = {
    sharedOptions: {},
    createTranslator: () => (messageId, props) => ({ message: '', messageId: String(messageId), data: props }),
    report: (report) => {
      const match = toMatch(rule, report, source.content);
      if (match) found.push(match);
    },
    ignore: () => undefined,
  };
  await rule.creator.create(context, rule.options ?? {}).file?.(source);
  return found;
}

/** In order, without overlaps: of what overlaps the first wins, then the longest, and takes in what reaches further. */
function inOrder(matches: readonly SecretMatch[]): readonly SecretMatch[] {
  const result: SecretMatch[] = [];
  for (const match of matches.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (!last || match.start >= last.end) result.push(match);
    else if (match.end > last.end) result[result.length - 1] = { ...last, end: match.end };
  }
  return result;
}

async function scanText(text: string): Promise<readonly SecretMatch[]> {
  if (text.length < SHORTEST_SECRET) return [];
  const source = sourceOf(text);
  const byRules = await Promise.all(SECRET_RULES.map((rule) => runRule(rule, source)));
  // The library's names are the better ones: sorting keeps their order where two begin together.
  return inOrder([...byRules.flat(), ...findPrivateKeys(text), ...findSecretLooks(text)]);
}

/** No rule finds anything in less. */
const SHORTEST_SECRET = 8;

/** Secretlint's rules, with the looks of the core that they lack. Linear: about 0.2 s for hostile text of 1 MB. */
export class LibrarySecretScanner implements SecretScanner {
  async scan(texts: readonly string[]): Promise<readonly (readonly SecretMatch[])[]> {
    const results: (readonly SecretMatch[])[] = [];
    for (const text of texts) results.push(await scanText(text));
    return results;
  }
}
