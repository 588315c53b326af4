/**
 * Messages between the extension host and the Budget panel. The host sends complete snapshots with a revision, never
 * deltas; the panel says `ready` first and drops snapshots older than the one it shows.
 */

import type { AgentCoverage } from '../core/agents/agentCoverage';
import type { Problem } from '../core/model/problem';
import { SCORING_MODES, type ScoringMode } from '../core/model/relevance';
import type { PayloadReport } from '../core/model/report';
import { PAYLOAD_MODES, type PayloadMode } from '../core/model/section';
import type { CycleTotals, RoiThresholds } from '../core/model/usage';
import type { RelayStatus } from '../core/relay/relayWatch';
import type { Citation } from '../core/usage/usageRecord';
import type { PrefixMatch } from '../core/usage/usageService';
import type { WindowFate, WindowKind } from '../core/window/loaded/windowReport';
import { isNumber, isOneOf, isText, type MessageOf, messageReader, snapshotMessages } from './messages';
import { PANEL_COMMANDS, ROW_ACTION_NAMES, WINDOW_ACTIONS, type WindowAction } from './panelAction';

// The panel imports types of core only; what it draws with comes through here.
export { isMinorCut } from '../core/agents/cutNotices';
export { shareStatus } from '../core/config/profile';
export { SCORING_MODES } from '../core/model/relevance';
export { PRIORITIES, WARN_SHARE } from '../core/model/section';
export { ENOUGH_EVIDENCE, judgedCycles, MIN_CYCLES } from '../core/model/usage';
export { entryTexts } from '../core/pipeline/fit/pieces';
export { formatScore, formatThreshold } from '../core/pipeline/score/trigger';
export { cutSections, earnsNothing, isFollowed } from '../core/print/budgetTable';
export { isForwardOnly } from '../core/relay/relaySummary';
export { formatThousands } from '../core/text/numbers';

/** Orders of the rows: largest first within each priority, as in the payload, least used first, by name. */
export const SECTION_SORTS = ['size', 'payload', 'return', 'name'] as const;

export type SectionSort = (typeof SECTION_SORTS)[number];

/** Kinds of section that the filter shows alone, in the order of its toggles. */
export const SHOW_ONLY = ['alerts', 'warnings', 'neverUsed', 'leftOut', 'cut'] as const;

export type ShowOnly = (typeof SHOW_ONLY)[number];

// #region host → panel

/** What recorded cycles would have cost, and lost, under other rules. Tokens are means of a cycle. */
export interface PanelEffect {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly citationsTotal: number;
  readonly citationsKept: number;
  /** Sections whose citations would have been lost, most first. */
  readonly lost: readonly { readonly id: string; readonly citations: number }[];
  /** Ids of sections that would be stubs now. */
  readonly stubbed: readonly string[];
}

/** The effect of one threshold in mode `dynamic`. */
export interface PanelSimulationPoint extends PanelEffect {
  /** 0…1. */
  readonly threshold: number;
}

/** What thresholds would have done to the newest cycles. */
export interface PanelSimulation {
  /** Cycles simulated. */
  readonly cycles: number;
  /** A cycle's tokens in the present mode, where that is `static`, whose rules no threshold says. */
  readonly tokensNow?: number | undefined;
  /** By threshold, ascending. */
  readonly points: readonly PanelSimulationPoint[];
}

/** The next scoring mode, offered once enough cycles are recorded. */
export interface PanelOffer {
  readonly mode: ScoringMode;
  /** Recorded cycles that it rests on. */
  readonly cycles: number;
  /** Undefined where nothing can be said of it. */
  readonly effect: PanelEffect | undefined;
}

/** What the usage log says of the folder; empty where nothing was recorded. */
export interface PanelUsage {
  /** Oldest first, at most the config's window. */
  readonly cycles: readonly CycleTotals[];
  /** The payload of `mode` against the last recorded one; undefined where there is none. */
  readonly prefix: PrefixMatch | undefined;
  /** Undefined below 10 cycles. */
  readonly simulation: PanelSimulation | undefined;
  readonly offer: PanelOffer | undefined;
}

/** What the panel needs of a payload: neither its text nor what was cut, which it does not show. */
export type PanelPayload = Pick<PayloadReport, 'mode' | 'budget' | 'overheadTokens' | 'sections' | 'leftOut'>;

/** The one thing to change first; the host says its words. */
export interface PanelFinding {
  /** Kind, subject and what the action does; stable over snapshots. */
  readonly key: string;
  /** `Save 1,276 tokens (−37%)`. */
  readonly title: string;
  /** `56 of 56 citations kept`. */
  readonly evidence: string;
  /** What Review opens; it changes nothing. Undefined where the action is all there is. */
  readonly review:
    | { readonly show: ShowOnly }
    | { readonly sectionIds: readonly string[] }
    | { readonly part: 'agents' | 'window' }
    | undefined;
  /**
   * The one action; undefined where there is none. Its label as written: `Apply`, `Switch to Rules`. `title`: what it does,
   * and how to undo it. `isTask`: it leads to the task's field and changes nothing.
   */
  readonly action: { readonly label: string; readonly title?: string; readonly isTask?: true } | undefined;
}

/** What was masked in a copy. */
export interface MaskedKeys {
  readonly keys: number;
  /** Where they stood, each once. */
  readonly sectionIds: readonly string[];
}

/** A section that a reply cited, and the strongest evidence of it. */
export type PanelCitation = Pick<Citation, 'id' | 'evidence' | 'what'>;

/** One server, tool, skill, file or text of an agent. */
export interface PanelWindowItem {
  /** Stable over snapshots. */
  readonly key: string;
  readonly name: string;
  /** The file that it comes from, with `~/` below the home folder; undefined for the agent's own text. */
  readonly path: string | undefined;
  /** In the window at the start. */
  readonly tokens: number;
  readonly isExact: boolean;
  readonly fate: WindowFate;
  /** Why a server has no figure. */
  readonly why: string | undefined;
  /** False where the agent's documents do not say so for certain. */
  readonly isCertain: boolean;
  readonly actions: readonly WindowAction[];
  /** A server's tools. */
  readonly items: readonly PanelWindowItem[];
}

/** What one agent has in its window before the first word. Tokens are those of `model`. */
export interface PanelWindow {
  /** The agent's display name. */
  readonly name: string;
  /** Null: the agent's own. */
  readonly model: string | null;
  /** Null where the window is not public. */
  readonly windowTokens: number | null;
  readonly tokens: number;
  /** Whether `tokens` is counted, with nothing estimated or not measured. */
  readonly isExact: boolean;
  /** Whether files of the home folder were read. */
  readonly hasHome: boolean;
  readonly categories: readonly {
    readonly kind: WindowKind;
    readonly tokens: number;
    readonly isExact: boolean;
    readonly items: readonly PanelWindowItem[];
    readonly actions: readonly WindowAction[];
  }[];
}

/** The key of a category's row. */
export function categoryKey(kind: WindowKind): string {
  return `loaded ${kind}`;
}

/** How sections are scored, and where the classes of return begin. */
interface PanelScoring {
  readonly mode: ScoringMode;
  /** 0…1. */
  readonly threshold: number;
  /** In cycles. */
  readonly window: number;
  readonly roiThresholds: RoiThresholds;
}

/** Everything the panel shows. */
export interface PanelSnapshot {
  /** `noFolder`: nothing is open. `loading`: no report yet. `ready`: `payload` is there, possibly inexact. */
  readonly state: 'noFolder' | 'loading' | 'ready';
  readonly folderName: string;
  /** Tells folders of one name apart; empty without a folder. */
  readonly folderUri: string;
  readonly mode: PayloadMode;
  readonly profile: string;
  readonly profiles: readonly string[];
  /** What the work is about, as it was typed; empty when there is none. */
  readonly task: string;
  /** What the repo map shows in place of a task's, where that was chosen; `base` is undefined until it is known. */
  readonly changes: { readonly base: string | undefined; readonly files: number } | undefined;
  /** The payload of `mode`. */
  readonly payload: PanelPayload | undefined;
  /** What the last copy had masked, if `payload` is what was copied; undefined where that was nothing. */
  readonly masked: MaskedKeys | undefined;
  /** What the last recorded reply cited, at most once a section; empty after the next copy. */
  readonly cited: readonly PanelCitation[];
  /** Sections counted so far, while counting. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  readonly isTrusted: boolean;
  /** False when nothing but built-in sections was found. */
  readonly hasInstructions: boolean;
  readonly problems: readonly Problem[];
  /** Which config is in force: the file's, the last good one of a file that is broken now, or none at all. */
  readonly configState: 'file' | 'lastGood' | 'defaults';
  /** How sections are scored, as the config in force has it. */
  readonly scoring: PanelScoring;
  /** Ids of sections that the config wants on demand. */
  readonly onDemand: readonly string[];
  readonly sort: SectionSort;
  /** Undefined until the log was read, and where the host keeps none. */
  readonly usage: PanelUsage | undefined;
  /** The folder's relay context; undefined where it has none. */
  readonly relay: RelayStatus | undefined;
  /** What each agent makes of the instruction and memory files, for the active file; undefined until they were read. */
  readonly agents: readonly AgentCoverage[] | undefined;
  /** *My Agents* by their display names; empty where none is known. */
  readonly agentNames: readonly string[];
  /** Undefined without an agent in *My Agents* that is known, until it was read, and where the host reads no machine. */
  readonly window: PanelWindow | undefined;
  /** It is not known yet whether and of which agent `window` will be. */
  readonly isWindowPending: boolean;
  /** Undefined where nothing is gained, and beside a message. */
  readonly finding: PanelFinding | undefined;
  /** What the last action changed, as long as it is offered to be undone. */
  readonly undo: { readonly sentence: string } | undefined;
}

const HOST_MESSAGES = snapshotMessages<PanelSnapshot>();

export type HostToPanel = MessageOf<typeof HOST_MESSAGES>;

export const asHostMessage = messageReader(HOST_MESSAGES);

/** Whether the folder has nothing to show: no instructions, and no section with any text. Not before all is counted. */
export function isEmptyFolder({ state, hasInstructions, payload }: PanelSnapshot): boolean {
  if (state !== 'ready' || hasInstructions || !payload) return false;
  return payload.sections.every(({ tokens, isPending }) => tokens === 0 && !isPending);
}

// #endregion

// #region panel → host

const isLine = (value: unknown): value is number => isNumber(value) && Number.isSafeInteger(value) && value > 0;
const isShare = (value: unknown): value is number => isNumber(value) && value >= 0 && value <= 1;

const PANEL_MESSAGES = {
  ready: {},
  setMode: { mode: isOneOf(PAYLOAD_MODES) },
  setProfile: { profile: isText },
  command: { command: isOneOf(PANEL_COMMANDS) },
  /** One action of a row. */
  section: { action: isOneOf(ROW_ACTION_NAMES), sectionId: isText },
  /** Opens a file that `agents`, `problems` or a section's `files` of the last snapshot name, at a 1-based line. */
  openFile: { path: isText, line: isLine },
  /** One action of a row of *Before the First Word*, by its key. */
  window: { action: isOneOf(WINDOW_ACTIONS), key: isText },
  /** What was typed as the task, with its lines; empty clears it. */
  setTask: { task: isText },
  /** The same, and copies the payload that is made for it. */
  copyFor: { task: isText },
  setScoringMode: { mode: isOneOf(SCORING_MODES) },
  setThreshold: { threshold: isShare },
  /** Does what the finding of the last snapshot offers, by its `key`. */
  applyFinding: { key: isText },
  /** Takes the last change of the config back. */
  undo: {},
};

export type PanelToHost = MessageOf<typeof PANEL_MESSAGES>;

export const asPanelMessage = messageReader(PANEL_MESSAGES);

// #endregion

/** Everything that the panel can ask for, by the names of `panelActionOf`: what a walk through the panel has to do. */
export const PANEL_ACTIONS: readonly string[] = [
  ...Object.keys(PANEL_MESSAGES).filter((type) => !['ready', 'command', 'section', 'window'].includes(type)),
  ...PANEL_COMMANDS.map((command) => `command ${command}`),
  ...ROW_ACTION_NAMES.map((action) => `section ${action}`),
  ...WINDOW_ACTIONS.map((action) => `window ${action}`),
];

/** What a message of the panel asks for, without what it is about: a name for the log. */
export function panelActionOf(message: Exclude<PanelToHost, { type: 'ready' }>): string {
  if (message.type === 'command') return `command ${message.command}`;
  return message.type === 'section' || message.type === 'window' ? `${message.type} ${message.action}` : message.type;
}
