/** Terms: what identifiers and prose have in common. Says how a word is split and what its stem is (RANKING §1.1). */

/** Words of a task that say nothing about where to look: function words, and what reports are made of (RANKING §1.2). */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and any are as at also able about after again all am another around be been because before being below between
  both but by can cannot could did do does doing don done during each either else ever every few for from further get
  gets getting give given go goes going got had has have having he her here his how however if in into is it its itself
  just know let like ll made make makes many may maybe me might more most much must my need needs no nor not now of off
  on once one only or other our out over own per please really same see seem seems should since so some something still
  such sure than thank thanks that the their them then there these they thing things think this those though through
  thus to too try trying under until up upon us use used using ve very via want wants was way we well were what when
  where whether which while who why will with within without won would yes yet you your
  etc eg ie hi hello`.split(/\s+/u),
);

/** Chinese stop words within a run of characters: the rest of the run is words and names. */
export const UNSPACED_STOPS = new RegExp(
  `什么|甚麼|怎么样?|怎样|怎麼|多少|哪些|哪个|哪里|哪儿|哪种|几个|几种|为什么|为何|如何|之前|以前|上次|上回|这个|那个|这些|那些|这里|那里|
  这样|那样|一个|一下|一些|我们|你们|他们|它们|自己|是否|有没有|没有|可以|能不能|应该|需要|还是|还有|或者|以及|而且|并且|但是|不过|如果|因为|
  所以|虽然|然后|已经|正在|一直|总是|又是|就是|都是|不是|时候|的|了(?!解)|吗|呢|吧|啊|嘛|们|是`.replace(/\s+/gu, ''),
  'gu',
);

/** RANKING §1.1: a part has at least two characters. */
const MIN_PART = 2;

/** Scripts that write words without spaces: pairs of characters stand for words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

/** Whether a character or a term is of such a script. */
export function isUnspaced(text: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text);
}

function pairsOf(run: string): readonly string[] {
  const characters = [...run];
  if (characters.length < 3) return [run];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

function pushParts(piece: string, parts: string[]): void {
  const broken = piece
    .replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(' ');
  for (const part of broken) if (part.length >= MIN_PART) parts.push(part.toLowerCase());
}

type Kind = 0 | 1 | 2 | 3;
const OTHER = 0;
const SMALL = 1;
const LARGE = 2;
const DIGIT = 3;

function kindOf(code: number): Kind {
  if (code >= 97 && code <= 122) return SMALL;
  if (code >= 65 && code <= 90) return LARGE;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
}

/** `splitIdentifier` for ASCII, one pass: an index meets some hundred thousand words. */
function splitAscii(word: string): string[] {
  const parts: string[] = [];
  const lower = word.toLowerCase();
  let start = 0;
  let before: Kind = OTHER;
  for (let at = 0; at <= word.length; at++) {
    const kind: Kind = at < word.length ? kindOf(word.charCodeAt(at)) : OTHER;
    const endsRun = kind === LARGE && (before === SMALL || before === DIGIT);
    const beginsWord = kind === SMALL && before === LARGE && at - start > 1;
    if (kind === OTHER || endsRun) {
      if (at - start >= MIN_PART) parts.push(lower.slice(start, at));
      start = kind === OTHER ? at + 1 : at;
    } else if (beginsWord) {
      if (at - 1 - start >= MIN_PART) parts.push(lower.slice(start, at - 1));
      start = at - 1;
    }
    before = kind;
  }
  return parts;
}

/**
 * Parts of an identifier: split at `_` and `$`, before a capital after a small letter, and before the last capital of a
 * run; lower case, two characters or more.
 *
 * @example splitIdentifier('parseHTTPHeader_v2') // ['parse', 'http', 'header', 'v2']
 */
export function splitIdentifier(word: string): readonly string[] {
  if (/^[\w$]*$/.test(word)) return splitAscii(word);
  const parts: string[] = [];
  for (const piece of word.split(/[_$]+/u)) {
    let from = 0;
    for (const run of piece.matchAll(UNSPACED)) {
      pushParts(piece.slice(from, run.index), parts);
      parts.push(...pairsOf(run[0]));
      from = run.index + run[0].length;
    }
    pushParts(piece.slice(from), parts);
  }
  return parts;
}

/** `running` without `ing` is `runn`. */
function undouble(stem: string): string {
  return /([bdfgmnprt])\1$/u.test(stem) ? stem.slice(0, -1) : stem;
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/u.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:[sx]|[cs]h)es$/u.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/**
 * Light stem of a lower-case English word: plural, `-ing`, `-ed`, `-ion`, `-er`, `-or`, `-ly`, a final `e` and the `at` of
 * `-ate` and `-ation` (RANKING §1.1). It need not be a word, only the same for the forms of one.
 *
 * @example stemOf('validations') // 'valid', as for 'validate'
 */
export function stemOf(word: string): string {
  const base = singular(word);
  if (base.length < 5) return base.length === 4 ? base.replace(/e$/u, '') : base;
  const cut = (ending: string): string => base.slice(0, -ending.length);
  if (base.endsWith('ing') && base.length > 5) return withoutAt(undouble(cut('ing')));
  if (base.endsWith('ed')) return withoutAt(undouble(cut('ed')));
  if (/[ts]ion$/u.test(base) && base.length > 5) return withoutAt(cut('ion'));
  if (/(?:er|or|ly)$/u.test(base) && base.length > 5) return withoutAt(undouble(cut('er')));
  return base.endsWith('e') ? withoutAt(cut('e')) : base;
}

/** `configurat` is of `configure`; `format` and `repeat` are words. */
function withoutAt(stem: string): string {
  return stem.length > 6 && stem.endsWith('at') ? stem.slice(0, -2) : stem;
}

/** The most typos that a word of this many characters may have. */
export function typosOf(length: number): number {
  if (length <= 3) return 0;
  return length <= 5 ? 1 : 2;
}

/** Share of letters that neither English nor Chinese has, from which on a text is neither. */
const MAX_FOREIGN = 0.015;
const SOME_WORDS =
  /(?<!\p{L})(?:der|die|und|das|für|mit|auf|le|la|les|des|pour|avec|el|los|una|con|para|não|com|uma|il|che|di)(?!\p{L})/giu;

const ENGLISH = /(?<!\p{L})(?:the|and|to|of|for|with|from|was|is|not|on)(?!\p{L})/giu;
/** From so many words on, a text with letters that English lacks and hardly one of its small words is foreign. */
const MIN_WORDS = 60;
const MIN_ENGLISH = 0.03;

/** Whether the words of a text are English or Chinese. */
export function isEnglishOrChinese(text: string): boolean {
  const words = text.match(/\p{L}{2,}/gu)?.length ?? 0;
  const english = text.match(ENGLISH)?.length ?? 0;
  const isForeign = words >= MIN_WORDS && english < MIN_ENGLISH * words && !/\p{Script=Han}/u.test(text);
  if (isForeign && /(?![a-z])\p{L}/iu.test(text)) return false;
  const foreign = text.match(/(?![a-z])(?!\p{Script=Han})\p{L}/giu)?.length ?? 0;
  const common = text.match(SOME_WORDS)?.length ?? 0;
  return foreign <= MAX_FOREIGN * text.length && common * 60 <= text.length;
}
