/** What the message area says about a snapshot, most urgent first. Pure. */

import type { Problem } from '../src/core/model/problem';
import type { ReportSection } from '../src/core/model/report';
import type { PanelPayload, PanelSnapshot, PanelToHost } from '../src/protocol/panel';
import { formatChange } from './format';
import { keptWords } from './relevance';
import { MODE_WORDS, WORDS } from './words';

interface MessageLink {
  readonly label: string;
  /** What it asks the host for. */
  readonly message: PanelToHost;
}

export interface MessageView {
  readonly key: string;
  readonly kind: 'error' | 'info';
  readonly icon: 'error' | 'lock' | 'info';
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** The sections whose shrinking helps most, largest first. */
  readonly shrinkFirst: readonly ReportSection[];
  readonly links: readonly MessageLink[];
  /** A remark that asks for nothing: it stands below the parts, and does not push what was looked for off the screen. */
  readonly isBelow: boolean;
}

const MAX_SHRINK_FIRST = 3;
const MAX_PROBLEMS = 3;
const OPEN_CONFIG: MessageLink = {
  label: WORDS.messages.openConfig,
  message: { type: 'command', command: 'openConfig' },
};
const SHOW_LOG: MessageLink = { label: WORDS.messages.showLog, message: { type: 'command', command: 'showLog' } };

function overMessage(payload: PanelPayload): MessageView | undefined {
  const { tokens, budgetTokens, chars, hardCapChars, isExact } = payload.budget;
  const words = WORDS.messages;
  if (!isExact || (tokens <= budgetTokens && chars <= hardCapChars)) return undefined;
  const kept = payload.sections.filter((section) => section.priority === 'P0' || section.priority === 'P1');
  // Their own sizes, as the payload's note says: its total counts notes and what else is left of other sections too.
  const sum = (sizeOf: (section: ReportSection) => number): number =>
    kept.reduce((total, section) => total + sizeOf(section), 0);
  const over =
    tokens > budgetTokens
      ? words.over(words.needTokens(sum((section) => section.tokens)), words.needTokens(budgetTokens))
      : words.over(words.needCharacters(sum((section) => section.chars)), words.needCharacters(hardCapChars));
  return {
    key: 'over',
    kind: 'error',
    icon: 'error',
    title: words.overTitle,
    paragraphs: [payload.mode === 'expanded' ? `${over} ${words.overExpanded}` : over],
    shrinkFirst: [...kept].sort((a, b) => b.tokens - a.tokens).slice(0, MAX_SHRINK_FIRST),
    // Where the caps are.
    links: [OPEN_CONFIG],
    isBelow: false,
  };
}

/** A problem's sentence with its place in front, unless the sentence names the file itself. */
function problemText(problem: Problem): string {
  if (problem.path === undefined || problem.message.includes(problem.path)) return problem.message;
  return WORDS.messages.at(problem.path, problem.line) + problem.message;
}

function problemTexts(problems: readonly Problem[]): readonly string[] {
  const texts = problems.slice(0, MAX_PROBLEMS).map(problemText);
  const rest = problems.length - texts.length;
  return rest > 0 ? [...texts, WORDS.messages.more(rest)] : texts;
}

/** One sentence behind another, which may lack its stop. */
function sentenceAfter(before: string, next: string): string {
  return /[.。]$/.test(before) ? `${before} ${next}` : WORDS.messages.sentences(before, next);
}

function configMessage(snapshot: PanelSnapshot): MessageView | undefined {
  const ofConfig = snapshot.problems.filter((problem) => problem.kind === 'config');
  const errors = ofConfig.filter((problem) => problem.severity === 'error');
  const base = { shrinkFirst: [], links: [OPEN_CONFIG, SHOW_LOG], isBelow: false };
  if (errors.length > 0) {
    const inForce = { file: [], lastGood: [WORDS.messages.lastGood], defaults: [WORDS.messages.defaults] };
    const texts = [...problemTexts(errors), ...inForce[snapshot.configState]];
    const paragraphs = errors.length === 1 ? [texts.reduce(sentenceAfter)] : texts;
    const { configTitle, configPartTitle } = WORDS.messages;
    const title = snapshot.configState === 'file' ? configPartTitle : configTitle;
    return { ...base, key: 'config', kind: 'error', icon: 'error', title, paragraphs };
  }
  if (ofConfig.length === 0) return undefined;
  const title = WORDS.messages.configWarningTitle;
  return { ...base, key: 'config', kind: 'info', icon: 'info', title, paragraphs: problemTexts(ofConfig) };
}

function problemMessage(problems: readonly Problem[]): MessageView | undefined {
  const other = problems.filter((problem) => problem.kind !== 'config');
  if (other.length === 0) return undefined;
  return {
    key: 'problems',
    kind: 'info',
    icon: 'info',
    title: WORDS.messages.problemTitle,
    paragraphs: problemTexts(other),
    shrinkFirst: [],
    links: [SHOW_LOG],
    isBelow: other.every(({ severity }) => severity !== 'error'),
  };
}

function restrictedMessage(snapshot: PanelSnapshot): MessageView | undefined {
  const notRun = snapshot.payload?.sections.filter((section) => section.isNotRun) ?? [];
  if (snapshot.isTrusted || snapshot.state !== 'ready') return undefined;
  const words = WORDS.messages;
  const names = notRun.map((section) => section.title);
  return {
    key: 'restricted',
    kind: 'info',
    icon: 'lock',
    title: words.restrictedTitle,
    paragraphs: [...(names.length > 0 ? [words.restricted(names)] : []), words.keptInMemory],
    shrinkFirst: [],
    links: [{ label: words.manageTrust, message: { type: 'command', command: 'manageTrust' } }],
    isBelow: false,
  };
}

/** The next scoring mode, once enough cycles say what it would do. */
function offerMessage({ usage }: PanelSnapshot): MessageView | undefined {
  const offer = usage?.offer;
  if (!offer) return undefined;
  const words = WORDS.relevance;
  const { mode, cycles, effect } = offer;
  const { label, what } = MODE_WORDS[mode];
  const paragraphs = [words.offer(label, what)];
  if (effect) {
    const { tokensBefore, tokensAfter } = effect;
    const change = formatChange(tokensBefore, tokensAfter);
    paragraphs.push(words.offerEffect(tokensBefore, tokensAfter, change, keptWords(effect)));
  }
  return {
    key: 'offer',
    kind: 'info',
    icon: 'info',
    title: words.offerTitle(cycles),
    paragraphs,
    shrinkFirst: [],
    links: [
      { label: words.useMode(label), message: { type: 'setScoringMode', mode } },
      { label: words.notNow, message: { type: 'dismissOffer', mode } },
    ],
    isBelow: false,
  };
}

/** The messages to show, errors first. */
export function messagesOf(snapshot: PanelSnapshot): readonly MessageView[] {
  const over = snapshot.payload && overMessage(snapshot.payload);
  const all = [
    over,
    configMessage(snapshot),
    restrictedMessage(snapshot),
    problemMessage(snapshot.problems),
    offerMessage(snapshot),
  ];
  return all
    .filter((message) => message !== undefined)
    .sort((a, b) => Number(b.kind === 'error') - Number(a.kind === 'error'));
}
