/**
 * Which sections a text says in their own words: the whole sentence of a section that has one alone; runs of Chinese and
 * addresses (of pages, machines, people) that stand so in one section only. Pasted and quoted text is taken out before (`quotes.ts`).
 */
import type { CitableSection } from './citablePayload';

/** A longer text is no sentence. UTF-16 code units. */
const MAX_SENTENCE_CHARS = 200;
/** Characters of a finding that are told. UTF-16 code units. */
const MAX_SAID_CHARS = 24;
/** A sentence of fewer words is anybody's. */
const MIN_WORDS = 3;
/** Characters of Chinese that are nobody's by chance. */
const RUN_CHARS = 8;

const RUN = /\p{Script=Han}{8,}/gu;
const WORD = /\p{Script=Han}|[\p{L}\p{N}]+/gu;

const ADDRESS =
  /\bhttps?:\/\/[\w.-]+\/[\w~%./?=&#+-]*[\w/]|(?<![\w./-])(?:[a-z][a-z0-9-]*\.){2,4}(?:ai|app|cn|co|com|de|dev|edu|io|net|org|top|xyz)\b(?![\w./(-])|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\w.+-]+@[\w-]+\.[\w.-]*\w/gu;
/** Everybody's. */
const COMMON_ADDRESS = /^(?:127\.|0\.0\.0\.0|255\.)|\/\/(?:localhost|127\.)|example\.|noreply@/u;

/** Inline code that may be a command. */
const SPAN = /`([^`\n]{6,200})`/gu;
/** More spans of one text are a listing. Bounds the cost. */
const MAX_SPANS = 100;
/** Lines between such marks are code, as commands of a workflow file or a shell are. */
const FENCE = /^[ \t]*```.*$/mu;
/** What stands before a command: a list's mark, a key, a prompt. */
const BEFORE_COMMAND = /^\s*(?:- )?(?:run: |\$ )?/u;
/** Commands of one line of a shell. */
const COMMAND_END = /&&|[;|\n]/u;
/** What everybody runs everywhere. */
const COMMON_COMMAND =
  /^(?:git \S+(?: -\S+)*|(?:cat|cd|chmod|cp|echo|find|grep|head|ls|mkdir|mv|rm|sed|tail|which) .*|(?:npm|pnpm|yarn|bun|cargo|go|make|pip3?|uv)(?: run)?(?: (?:-\w|--\w+))* (?:add|build|check|ci|clean|dev|fmt|format|get|i|init|install|lint|run|start|sync|test|update|vet|watch)|pip3? install \S+|(?:npm|yarn|pnpm) (?:install|add) \S+|node \S+|python3? \S+|docker compose (?:up|down)(?: -d)?)$/u;

/** A section, and the words that it is known by. */
interface VerbatimMatch {
  readonly section: number;
  readonly words: string;
}

/** Words alone, with one blank between them and at both ends; characters of Chinese are words. */
function plain(text: string): string {
  return ` ${(text.normalize('NFKC').toLowerCase().match(WORD) ?? []).join(' ')} `;
}

/** Enough to know it by: the log keeps no text. */
function named(words: string): string {
  return words.length <= MAX_SAID_CHARS ? words : `${words.slice(0, MAX_SAID_CHARS)}…`;
}

/** Sentences and runs of a payload. Building and asking are linear, but for the few sections of one sentence. */
export class Verbatim {
  readonly #sentences: readonly (VerbatimMatch & { readonly plain: string })[];
  /** The section of each run of eight characters, and of each address; undefined where several have it. */
  readonly #runs = new Map<string, number | undefined>();

  constructor(private readonly sections: readonly CitableSection[]) {
    this.#sentences = sections.flatMap(({ text }, section) => {
      const words = text.trim();
      const isSentence = words.length <= MAX_SENTENCE_CHARS && !/\n|section:/u.test(words);
      const said = isSentence ? plain(words) : '';
      return said.trim().split(' ').length >= MIN_WORDS ? [{ section, words, plain: said }] : [];
    });
    sections.forEach(({ text }, section) => {
      const known = text.normalize('NFKC');
      for (const part of [...known.matchAll(RUN)].flatMap(([run]) => partsOf(run))) this.#own(part, section);
      for (const address of addressesOf(known)) this.#own(address, section);
    });
  }

  #own(part: string, section: number): void {
    const isShared = this.#runs.has(part) && this.#runs.get(part) !== section;
    this.#runs.set(part, isShared ? undefined : section);
  }

  /** Commands of a shell that stand so in one section only. */
  commands(line: string): Generator<VerbatimMatch> {
    return this.#code(line.split(COMMAND_END), '');
  }

  /** Commands and other code of several words that stand so in one section only. */
  *#code(lines: Iterable<string>, task: string): Generator<VerbatimMatch> {
    let count = 0;
    for (const line of lines) {
      const words = line.replace(BEFORE_COMMAND, '').trim();
      if (
        words.length > MAX_SENTENCE_CHARS ||
        !/^[\w./@][^\n]{4,}$/u.test(words) ||
        !/\s/u.test(words) ||
        COMMON_COMMAND.test(words) ||
        task.includes(words)
      )
        continue;
      if (++count > MAX_SPANS) return;
      const owners = this.sections.flatMap((section, at) => (section.text.includes(words) ? [at] : []));
      const [section] = owners;
      if (section !== undefined && owners.length === 1) yield { section, words };
    }
  }

  /** Sections that the text says verbatim; what the task said before does not count. */
  find(text: string, task: string): readonly VerbatimMatch[] {
    const said = this.#sentences.length > 0 ? plain(text) : '';
    const found: VerbatimMatch[] = this.#sentences.filter((sentence) => said.includes(sentence.plain));
    const blocks = text.split(FENCE).filter((_, at) => at % 2 === 1);
    const code = [...text.matchAll(SPAN)].map(([, span = '']) => span);
    found.push(...this.#code([...code, ...blocks.flatMap((block) => block.split('\n'))], task));
    for (const words of addressesOf(text)) {
      const section = this.#runs.get(words);
      if (section !== undefined && !task.includes(words)) found.push({ section, words });
    }
    for (const [run] of this.#runs.size > 0 ? text.matchAll(RUN) : []) {
      let start = 0;
      let owner: number | undefined;
      const parts = partsOf(run);
      for (let at = 0; at <= parts.length; at++) {
        const next = this.#runs.get(parts[at] ?? '');
        if (next === owner) continue;
        const words = run.slice(start, at + RUN_CHARS - 1);
        if (owner !== undefined && !task.includes(words)) found.push({ section: owner, words });
        [owner, start] = [next, at];
      }
    }
    return found.map(({ section, words }) => ({ section, words: named(words) }));
  }
}

function addressesOf(text: string): readonly string[] {
  return [...text.matchAll(ADDRESS)].flatMap(([address]) => (COMMON_ADDRESS.test(address) ? [] : [address]));
}

/** Every eight neighbouring characters; all are of the basic plane in practice, others only make a run longer. */
function partsOf(run: string): readonly string[] {
  return Array.from({ length: Math.max(0, run.length - RUN_CHARS + 1) }, (_, at) => run.slice(at, at + RUN_CHARS));
}
