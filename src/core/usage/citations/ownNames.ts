/**
 * Names that one section of a payload made up, as `GuessProcessed`: a reply with two of them, or with one of three words, has them
 * from there. And files of which the tree of one section says what they are.
 */
import { splitIdentifier } from '../../text/terms';
import { type CitableSection, distinctiveNames } from './citablePayload';
import { PARAMETER, withoutPaths } from './keywordIndex';

/** What languages, browsers and the largest frameworks call things. Counted: most of 38 public repositories have some of these. */
export const OF_LIBRARIES =
  /^(?:(?:find|get|query)(?:All)?By(?:AltText|DisplayValue|LabelText|PlaceholderText|Role|TestId|Text|Title)|use(?:Callback|Context|Effect|Id|LayoutEffect|Memo|Mutation|Params|Query|Reducer|Ref|Router|State)|on(?:Change|Click|Close|Error|Submit|Success)|to(?:Be\w+|Equal|Fixed|Have\w+|ISOString|LowerCase|String|UpperCase)|(?:add|remove)EventListener|(?:get|set|remove)(?:Attribute|BoundingClientRect|ElementById|Error|Item|Loading|State|Value)|(?:clear|set)(?:Interval|Timeout)|(?:after|before)(?:All|Each)|(?:created|deleted|expires|updated)_?[aA]t|(?:class|display|file|full|user)_?[nN]ame|file_?[pP]ath|(?:api|cache)_?[kK]ey|base_?(?:URL|Url)|(?:BASE|DATABASE)_URL|(?:dev|peer)Dependencies|(?:flat|for)(?:Each|Map)|(?:ends|starts)With|(?:local|session)Storage|querySelector(?:All)?|(?:prevent|stop)[A-Z][a-z]+|(?:append|create|remove)(?:Child|Context|Element)|(?:is|parse)(?:Array|Float|Int)|inner(?:HTML|Height|Width)|(?:Attribute|Key|Runtime|Syntax|Type|Value)Error|(?:HTML|XML)\w+|(?:Abort|Event)(?:Controller|Emitter)|node_modules|child_process|compilerOptions|exist_ok|max_(?:old_space_size|retries|tokens)|status_?[cC]ode|NODE_\w+|DJANGO_\w+|ReactNode|FormData|camelCase|snake_case|PascalCase|CloudFlare|HuggingFace|PayPal|SendGrid)$/u;

/** A name, and the number of the section that made it up. */
export type FoundName = readonly [name: string, section: number];

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** A line of a tree of files that says what a file is: `├── schema.prisma  # tables`. */
const TREE_LINE =
  /^[\t │├└─|`*+-]{1,80}([\w@][\w@.-]{0,80}\.\w{1,12})[`*]{0,3}[\t ]{1,40}(?:#|[-–—]|\/\/|←)[\t ]{0,9}\p{L}/gmu;

/** Of a diff, the lines that are new and have no name of the others; of another edit nothing, as it may have stood there. */
export function addedIn(text: string): string {
  const lines = text.split('\n');
  const added = lines.filter((line) => /^\+(?!\+\+ )/u.test(line));
  if (added.length === 0) return '';
  const old = new Set(lines.filter((line) => !line.startsWith('+')).flatMap((line) => line.match(NAME) ?? []));
  return added
    .flatMap((line) => line.match(NAME) ?? [])
    .filter((name) => !old.has(name))
    .join(' ');
}

/** Words of names beyond the first, over all names of a section: two names of two words, or one of three. */
const MIN_MADE = 2;

/** Sections of which a turn has enough names that they made up. */
export function* madeOf(found: readonly FoundName[]): Generator<readonly [section: number, names: string]> {
  // `victoria_metrics` and `VictoriaMetrics` are one name.
  const bySection = new Map<number, Map<string, string>>();
  for (const [name, section] of found) {
    const names = bySection.get(section) ?? new Map<string, string>();
    names.set(splitIdentifier(name).join(' '), name);
    bySection.set(section, names);
  }
  for (const [section, names] of bySection) {
    const words = [...names.keys()].reduce((sum, parts) => sum + parts.split(' ').length - 1, 0);
    if (words >= MIN_MADE) yield [section, [...names.values()].join(', ')];
  }
}

/** Building is linear in the payload. */
export class OwnNames {
  /** By bare names of files; -1 where several sections describe one. */
  readonly #described = new Map<string, number>();
  /** -1 where several sections have a name. */
  readonly #made = new Map<string, number>();

  /** @param isPlace whether a folder or file is called so, which everybody knows it by */
  constructor(
    sections: readonly CitableSection[],
    private readonly isPlace: (name: string) => boolean,
  ) {
    sections.forEach(({ text, isInventory, isMap }, at) => {
      // What signatures call their values is the whole project's.
      const names = isMap ? (text.match(PARAMETER) ?? []) : isInventory ? [] : distinctiveNames([text]);
      for (const name of names) this.#made.set(name, !isMap && (this.#made.get(name) ?? at) === at ? at : -1);
      for (const [, file = ''] of isInventory ? [] : text.matchAll(TREE_LINE))
        this.#described.set(file, (this.#described.get(file) ?? at) === at ? at : -1);
    });
  }

  /** The one section that made a name up. */
  ownerOf(name: string): number | undefined {
    const owner = this.#made.get(name);
    return owner === -1 || OF_LIBRARIES.test(name) ? undefined : owner;
  }

  /** The one section whose tree says what the file is. */
  describerOf(file: string): number | undefined {
    const owner = this.#described.get(file);
    return owner === -1 ? undefined : owner;
  }

  /** Those that a text has beside its paths, but for what folders and files are called. */
  *in(text: string): Generator<FoundName> {
    for (const name of distinctiveNames([withoutPaths(text)])) {
      const owner = this.ownerOf(name);
      if (owner !== undefined && !this.isPlace(name)) yield [name, owner];
    }
  }
}
