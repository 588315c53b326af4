/** What the message area says about a snapshot, most urgent first. Pure. */

import type { Problem } from '../src/core/model/problem';
import type { ReportSection } from '../src/core/model/report';
import type { PanelPayload, PanelSnapshot, PanelToHost } from '../src/protocol/panel';
import { formatShare } from './format';
import { repeatedFileNames, rowName } from './names';
import { WORDS } from './words';

interface MessageLink {
  readonly label: string;
  /** What it does beyond its label; undefined where that says it all. */
  readonly title?: string;
  /** What it asks the host for. */
  readonly message: PanelToHost;
}

/** A section whose shrinking helps. */
interface LargeSection {
  readonly id: string;
  readonly name: string;
  /** Undefined where there is no file to open. */
  readonly path: string | undefined;
  readonly tokens: number;
}

export interface MessageView {
  readonly key: string;
  readonly kind: 'error' | 'info';
  readonly icon: 'error' | 'lock' | 'info';
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** The sections whose shrinking helps most, largest first. */
  readonly shrinkFirst: readonly LargeSection[];
  readonly links: readonly MessageLink[];
  /** A remark that asks for nothing: it stands below the parts, and does not push what was looked for off the screen. */
  readonly isBelow: boolean;
}

const MAX_SHRINK_FIRST = 2;
const MAX_PROBLEMS = 3;
const OPEN_CONFIG: MessageLink = {
  label: WORDS.messages.openConfig,
  message: { type: 'command', command: 'openConfig' },
};
const SHOW_LOG: MessageLink = { label: WORDS.messages.showLog, message: { type: 'command', command: 'showLog' } };

/** P0 and P1 are never removed: alone they exceed a limit. */
function overMessage(payload: PanelPayload): MessageView | undefined {
  const { tokens, budgetTokens, chars, hardCapChars, isExact } = payload.budget;
  const words = WORDS.messages;
  if (!isExact || (tokens <= budgetTokens && chars <= hardCapChars)) return undefined;
  const kept = payload.sections.filter((section) => section.priority === 'P0' || section.priority === 'P1');
  // Their own sizes, as the payload's note says: its total counts notes and what else is left of other sections too.
  const sum = (sizeOf: (section: ReportSection) => number): number =>
    kept.reduce((total, section) => total + sizeOf(section), 0);
  const need =
    tokens > budgetTokens
      ? words.needTokens(sum((section) => section.tokens))
      : words.needCharacters(sum((section) => section.chars));
  const repeated = repeatedFileNames(payload.sections);
  const largest = [...kept].sort((a, b) => b.tokens - a.tokens).slice(0, MAX_SHRINK_FIRST);
  return {
    key: 'over',
    kind: 'error',
    icon: 'error',
    title: words.overTitle(need),
    paragraphs: [words.over],
    shrinkFirst: largest.map((section) => {
      const { id, path, tokens: size } = section;
      return { id, name: rowName(section, repeated).main, path, tokens: size };
    }),
    links: [],
    isBelow: false,
  };
}

/** A token limit that fits this text better; nothing while it is over, which says more. */
function tokenLimitMessage({ budget }: PanelPayload): MessageView | undefined {
  const { suggestedTokens, chars, hardCapChars } = budget;
  if (suggestedTokens === undefined) return undefined;
  return {
    key: 'tokenLimit',
    kind: 'info',
    icon: 'info',
    title: WORDS.messages.tokenLimitTitle,
    paragraphs: [WORDS.messages.tokenLimit(formatShare(chars / hardCapChars), suggestedTokens)],
    shrinkFirst: [],
    links: [{ label: WORDS.gauge.change, message: { type: 'command', command: 'changeLimit' } }],
    isBelow: true,
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

/** Opens the config at the first place that is wrong. */
function configLink(problems: readonly Problem[]): MessageLink {
  const { path, line } = problems.find((problem) => problem.line !== undefined) ?? {};
  if (path === undefined || line === undefined) return OPEN_CONFIG;
  return { label: WORDS.messages.openAtLine(line), message: { type: 'openFile', path, line } };
}

function configMessage(snapshot: PanelSnapshot): MessageView | undefined {
  const ofConfig = snapshot.problems.filter((problem) => problem.kind === 'config');
  if (ofConfig.length === 0) return undefined;
  const errors = ofConfig.filter((problem) => problem.severity === 'error');
  const told = errors.length > 0 ? errors : ofConfig;
  const base = {
    key: 'config',
    shrinkFirst: [],
    links: [configLink(told), SHOW_LOG],
    isBelow: told.every(({ severity }) => severity === 'hint'),
  };
  const words = WORDS.messages;
  if (errors.length === 0) {
    const title = words.configWarningTitle(ofConfig.length);
    return { ...base, kind: 'info', icon: 'info', title, paragraphs: problemTexts(ofConfig) };
  }
  const inForce = { file: [], lastGood: [words.lastGood], defaults: [words.defaults] };
  const texts = [...problemTexts(errors), ...inForce[snapshot.configState]];
  const paragraphs = errors.length === 1 ? [texts.reduce(sentenceAfter)] : texts;
  const title = snapshot.configState === 'file' ? words.configPartTitle : words.configTitle;
  return { ...base, kind: 'error', icon: 'error', title, paragraphs };
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

/** Silent where trust would change no number: a lock on its own asks for a decision that nothing here needs. */
function restrictedMessage(snapshot: PanelSnapshot): MessageView | undefined {
  const notRun = snapshot.payload?.sections.filter((section) => section.isNotRun) ?? [];
  if (snapshot.isTrusted || snapshot.state !== 'ready' || notRun.length === 0) return undefined;
  const words = WORDS.messages;
  return {
    key: 'restricted',
    kind: 'info',
    icon: 'lock',
    title: words.restrictedTitle,
    paragraphs: [words.restricted(notRun.map(({ title }) => title))],
    shrinkFirst: [],
    links: [
      {
        label: words.manageTrust,
        title: words.keptInMemory,
        message: { type: 'command', command: 'manageTrust' },
      },
    ],
    isBelow: false,
  };
}

/** Built-in sections have text, but nothing tells an agent how to work here. */
function noInstructionsMessage(snapshot: PanelSnapshot): MessageView | undefined {
  if (snapshot.state !== 'ready' || snapshot.hasInstructions) return undefined;
  return {
    key: 'instructions',
    kind: 'info',
    icon: 'info',
    title: WORDS.messages.noInstructionsTitle,
    paragraphs: [WORDS.welcome.instructions],
    shrinkFirst: [],
    links: [{ label: WORDS.welcome.createInstructions, message: { type: 'command', command: 'createInstructions' } }],
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
    noInstructionsMessage(snapshot),
    problemMessage(snapshot.problems),
    over ? undefined : snapshot.payload && tokenLimitMessage(snapshot.payload),
  ];
  return all
    .filter((message) => message !== undefined)
    .sort((a, b) => Number(b.kind === 'error') - Number(a.kind === 'error'));
}
