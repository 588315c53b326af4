/**
 * Citations: decides which sections of a payload a turn of an agent gives evidence of having used, and by what. At most
 * one a section, the strongest: a handle or id that was asked for; a path or symbol that the agent then read or edited;
 * an exact id or path in the reply; distinctive keywords; a tag `[ctx:soul]`. A section's name is no evidence, nor is
 * what the reply only quotes (`quotes.ts`) or says it did not use (`dismissals.ts`). Nothing of the turn is kept but
 * what a citation names.
 */
import type { AgentTurn, ToolCall } from '../../transcripts/agentTurn';
import type { Citation } from '../usageRecord';
import { commandHandles, namedHandles, namedIds } from './asked';
import type { CitablePayload } from './citablePayload';
import { usedSentences } from './dismissals';
import { Evidence } from './evidence';
import { KeywordIndex } from './keywordIndex';
import { NameIndex, type NameMatch } from './nameIndex';
import { normalizeMention, pathWords } from './pathNames';
import { Quotes } from './quotes';

/** What of a turn evidence is looked for in. */
export type CitingTurn = Pick<AgentTurn, 'replyText' | 'toolCalls'>;

/** More text of one reply or tool call is not looked at. UTF-16 code units. */
const MAX_TEXT_CHARS = 4_000_000;

/** `[ctx:soul]`: how an agent may say itself what it used. Not in inline code, where tags are talked about. */
const TAG = /(?<!`)\[ctx:([a-z][a-z0-9-]*)\](?!`)/gu;

/** Files that a patch changes, as git and agents write them. */
const PATCH_HEADER =
  /^(?:\*\*\* (?:Update|Add|Delete|Move to)(?: File)?: |(?:\+\+\+|---) (?:[ab]\/)?|diff --git a\/)(\S+)/gmu;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** Says that a file's content is what is followed: `according to AGENTS.md`, `as MEMORY.md says`, `按照 AGENTS.md`. */
const FOLLOWED_BEFORE =
  /(?:\b(?:per|according to|following|as (?:stated|noted|described|required|listed) (?:in|by)|based on|follows?)(?: the)?|按照?|依照|遵循|根据)[\s`"'*_(]*$/iu;
const FOLLOWED_AFTER =
  /^[\s`"'*_)]*(?:says|asks|states|requires|recommends|demands|notes|wants|forbids|tells|warns|规定|要求|里说|里写|中说|写明|提到)/iu;

/** With one spelling for full-width letters, digits and punctuation; some characters become many thereby. */
function bounded(text: string): string {
  return text.slice(0, MAX_TEXT_CHARS).normalize('NFKC').slice(0, MAX_TEXT_CHARS);
}

/** Finds citations of one payload; made once for many turns. Building is linear in the payload. */
export class CitationFinder {
  readonly #payload: CitablePayload;
  readonly #names: NameIndex;
  readonly #keywords: KeywordIndex;
  readonly #quotes: Quotes;
  readonly #handles = new Map<string, number>();

  constructor(payload: CitablePayload) {
    this.#payload = payload;
    this.#names = new NameIndex(payload.sections);
    this.#keywords = new KeywordIndex(payload.sections);
    this.#quotes = new Quotes(payload);
    payload.sections.forEach(({ handle, symbolHandles, observationIds }, at) => {
      this.#handles.set(handle, at);
      for (const symbol of symbolHandles) this.#handles.set(symbol, at);
      for (const id of observationIds) this.#handles.set(String(id), at);
    });
  }

  /** Citations in payload order. Linear in the turn's texts, of each of which the first 4,000,000 characters count. */
  find({ replyText, toolCalls }: CitingTurn): readonly Citation[] {
    const evidence = new Evidence();
    for (const call of toolCalls) this.#call(call, evidence);
    const sentences = usedSentences(this.#quotes.strip(bounded(replyText)));
    for (const sentence of sentences) this.#sentence(sentence, evidence);
    this.#keywordsOf(sentences.join('\n'), evidence);
    return evidence.citations(this.#payload.sections);
  }

  #call({ kind, handles, paths, input, isError }: ToolCall, evidence: Evidence): void {
    for (const handle of handles) this.#asked(handle, evidence);
    const text = bounded(input);
    if (kind === 'run' || kind === 'other') for (const handle of commandHandles(text)) this.#asked(handle, evidence);
    if (isError || kind === 'context') return;
    for (const path of paths) this.#touched(this.#names.file(normalizeMention(path)), evidence);
    if (kind === 'edit') {
      for (const [, path = ''] of text.matchAll(PATCH_HEADER)) this.#touched(this.#names.mention(path), evidence);
    } else if (kind !== 'other') {
      for (const { word } of pathWords(text)) this.#touched(this.#names.mention(word), evidence);
    }
    for (const [name] of text.matchAll(NAME)) this.#touched(this.#names.symbol(name), evidence);
    if (kind === 'run' || kind === 'search') this.#keywordsOf(text, evidence);
  }

  /** A handle that was asked for: a section's, a symbol's, an observation's, lines of a file. */
  #asked(given: string, evidence: Evidence): void {
    const handle = given.trim();
    const section = this.#handles.get(handle.replace(/^#(?=\d)/u, ''));
    if (section !== undefined) evidence.add(section, 'asked', handle);
    else if (handle.startsWith('file:')) {
      for (const owner of this.#names.file(normalizeMention(handle.slice('file:'.length)))?.owners ?? []) {
        evidence.add(owner, 'asked', handle);
      }
    }
  }

  #touched(match: NameMatch | undefined, evidence: Evidence): void {
    for (const owner of match?.owners ?? []) evidence.add(owner, 'touched', match?.name ?? '');
  }

  #sentence(sentence: string, evidence: Evidence): void {
    for (const handle of commandHandles(sentence)) this.#asked(handle, evidence);
    for (const { handle, isAsked } of namedHandles(sentence)) this.#named(handle, isAsked, evidence);
    for (const id of namedIds(sentence)) this.#named(String(id), false, evidence, `#${id}`);
    for (const { word, at } of pathWords(sentence)) this.#mention(sentence, word, at, evidence);
    for (const [, id = ''] of sentence.matchAll(TAG)) this.#named(`section:${id}`, 'tag', evidence, `[ctx:${id}]`);
  }

  #named(handle: string, how: boolean | 'tag', evidence: Evidence, what = handle): void {
    const section = this.#handles.get(handle);
    if (section !== undefined) evidence.add(section, how === 'tag' ? 'tag' : how ? 'asked' : 'id', what);
  }

  /** A path in the reply. A section's own file is its name: it counts where the reply says that it follows it. */
  #mention(sentence: string, word: string, at: number, evidence: Evidence): void {
    const match = this.#names.mention(word);
    if (!match) return;
    const isFollowed =
      FOLLOWED_BEFORE.test(sentence.slice(Math.max(0, at - 40), at)) ||
      FOLLOWED_AFTER.test(sentence.slice(at + word.length, at + word.length + 40));
    if (match.isOwn && !isFollowed) return;
    for (const owner of match.owners) evidence.add(owner, 'path', match.name);
  }

  #keywordsOf(text: string, evidence: Evidence): void {
    for (const { section, words } of this.#keywords.find(text)) evidence.add(section, 'keyword', words.join(', '));
  }
}

/** The citations of one turn; for several turns over one payload keep a `CitationFinder`. */
export function findCitations(payload: CitablePayload, turn: CitingTurn): readonly Citation[] {
  return new CitationFinder(payload).find(turn);
}
