/**
 * What a relay must not say (DESIGN §7): that work is completed which the ledger does not show as finished. It goes by
 * words, clause by clause: who is quoted or said to say so, negations, plans and questions are no claims. It understands
 * no more than that, so a clean result is no proof.
 */

import { textsIn } from './jsonValue';
import { isAllFinished, isFinished, type Ledger, readLedger } from './ledger';
import { hasId, idsIn } from './mentions';
import { ESSENTIALS } from './relayContext';
import { FINISHED } from './states';

/** One sentence that claims more than the ledger shows. */
interface OverreachFinding {
  readonly rule: 'claims-completion';
  /** The whole sentence, as written. */
  readonly text: string;
  /** What the ledger has instead: `T2: running`. */
  readonly ledger: string;
}

/** Shorter titles and essentials are in every sentence by chance. */
const MIN_TITLE_CHARS = 12;
/** Open tasks named in one finding. */
const MAX_NAMED = 5;

/** Ends of sentences: a full stop only before a blank, so that `src/a.ts` and `3.2` stay whole. Bounded, to stay linear. */
const SENTENCE = /[^\n]{0,1000}?(?:[.!?]{1,9}(?=\s|$)|[。！？]{1,9}|(?=\n)|$)|[^\n]{1,1000}/gy;
const CLAUSE_END = /[,;，；、—–]|\s-\s|\b(?:but|so|while)\b|\band(?= [\w.-]{1,40} (?:is|was|has)\b)|但是?|因此|所以/u;

/** Code, block quotes and quotation marks of English and Chinese: words of another. */
const QUOTED =
  /```[\s\S]*?(?:```|$)|^[ \t]*>[^\n]*|`[^`\n]{1,1000}`|"[^"\n]{1,2000}"|“[^”\n]{1,2000}”|‘[^’\n]{1,2000}’(?!\w)|(?<!\w)'[^'\n]{2,2000}'(?!\w)|「[^」\n]{1,2000}」|《[^》\n]{1,2000}》/gmu;

/** `ok` agrees more often than it claims. */
const WORDS = [...FINISHED].filter((word) => word !== 'ok');
const CLAIM = new RegExp(
  `✅|(?<![\\p{L}-])(?:${WORDS.filter((word) => /^[a-z]/.test(word)).join('|')}|fixed|passes|shipped)(?![\\p{L}-])|${WORDS.filter((word) => !/^[a-z]/.test(word)).join('|')}`,
  'iu',
);
const EVERYTHING = /\b(?:all|everything|both|the (?:whole )?work)\b|全部|所有|均|都|任务|任務/iu;
const MARKS = /[\s\p{P}\p{So}]|了|已经?/gu;

/** Not so, or not so yet: no claim in this clause. */
const NOT_SO =
  /\b(?:not|never|no|none|neither|nor|nobody|nothing|cannot|without|will|would|should|must|may|might|could|can|to be|needs?|almost|nearly|expect\w*|wait\w*|definition)\b|n['’]t\b|(?<![\d.])\d{1,2}\s?[%％]|\b(\d+) (?:out )?of (?!\1\b)\d+|未|没|沒|不|尚|预计|预計|等待|才/iu;
/** A question, a condition, or the words of another: no claim in the whole sentence. */
const NOT_OURS =
  /[?？]\s*$|吗|嗎|是否|\b(?:if|once|when|until|unless|before|whether|says?|said|reports?|reported|claims?|claimed|insists?|believes?|wrote|according to|forward\w*)\b|如果|若|一旦|说|說|称|稱|报告|報告|^[^:：\n]{0,40}(?:worker|implementer|verifier|planner|controller|user|agent|执行者|控制者|用户)\s*[:：]/iu;

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** The message with what it only quotes, or forwards word for word, blanked; its length stays. */
function ownWords(message: string, { context }: Ledger): string {
  let text = message;
  for (const known of ESSENTIALS.flatMap((key) => textsIn(context[key])))
    if (known.length >= MIN_TITLE_CHARS) text = text.split(known).join(blank(known));
  return text.replace(QUOTED, blank);
}

/** Ids in the style of the ledger's own that it does not have. */
function strangersIn(text: string, { tasks }: Ledger): readonly string[] {
  const own = tasks.flatMap(({ ids }) => ids.map((id) => id.toUpperCase()));
  return [...idsIn(text, ['T', 'S', 'TASK', 'STEP', ...own])].filter((id) => !own.includes(id));
}

/** What the ledger has against a claim that the clause makes; empty when it makes none, or a true one. */
function contradictions(clause: string, ledger: Ledger): readonly string[] {
  if (!CLAIM.test(clause) || NOT_SO.test(clause)) return [];
  const named = ledger.tasks.filter(
    ({ ids, title }) =>
      ids.some((id) => hasId(clause, id)) || (title.length >= MIN_TITLE_CHARS && hasId(clause, title)),
  );
  const strangers = strangersIn(clause, ledger);
  const isAboutAll = EVERYTHING.test(clause) || clause.replace(CLAIM, '').replace(MARKS, '') === '';
  const isAboutTasks = named.length + strangers.length > 0;
  if (!isAboutTasks && (!isAboutAll || isAllFinished(ledger))) return [];
  const open = (isAboutTasks ? named : ledger.tasks).filter((task) => !isFinished(task));
  const told = open.map(({ ids, title, status }) => `${ids[0] ?? title}: ${status === '' ? 'no status' : status}`);
  const all = [...strangers.map((id) => `${id}: not in the ledger`), ...told];
  if (!isAboutTasks && ledger.tasks.length === 0) return ['no tasks'];
  return all.length > MAX_NAMED ? [...all.slice(0, MAX_NAMED), `${all.length - MAX_NAMED} more`] : all;
}

/**
 * Checks an outgoing message of a relay, at most one finding a sentence. What repeats an essential of the ledger word
 * for word is forwarding. Linear in the message.
 *
 * @param value any JSON value, read by `readLedger`; without one nothing is shown as done.
 * @example
 * checkMessage('T3 is done.', { tasks: [{ task_id: 'T3', status: 'running' }] })
 * // [{ rule: 'claims-completion', text: 'T3 is done.', ledger: 'T3: running' }]
 */
export function checkMessage(message: string, value: unknown): readonly OverreachFinding[] {
  const ledger = readLedger(value);
  return [...ownWords(message, ledger).matchAll(SENTENCE)].flatMap(({ 0: sentence, index }) => {
    if (NOT_OURS.test(sentence)) return [];
    const against = new Set(sentence.split(CLAUSE_END).flatMap((clause) => contradictions(clause, ledger)));
    if (against.size === 0) return [];
    const text = message.slice(index, index + sentence.length).trim();
    return [{ rule: 'claims-completion', text, ledger: [...against].join(', ') }];
  });
}
