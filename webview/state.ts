/**
 * The panel's state: the newest snapshot and what the user did to the view. One pure reducer; an action that changes
 * nothing returns the same object, so that nothing is drawn again.
 */

import type { ReportSection } from '../src/core/model/report';
import {
  type PanelPayload,
  type PanelSnapshot,
  type PanelWindow,
  SHOW_ONLY,
  type ShowOnly,
} from '../src/protocol/panel';
import { agentAlarms, splitAgents } from './agents';
import { matchesFilter, quoted } from './model';
import { relayAlarms } from './relay';

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  // Histories hold numbers by the hundred, in every section.
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = new Map(Object.entries(b));
  return left.length === right.size && left.every(([key, value]) => right.has(key) && isSame(value, right.get(key)));
}

/**
 * Every snapshot arrives as new objects. This puts the old object back for each section that did not change, so that
 * a row can tell by identity, and for what the usage log, the relay log, the agents' coverage
 * and the window say. Linear in the size of both snapshots.
 */
function shareUnchanged(previous: PanelSnapshot | undefined, next: PanelSnapshot): PanelSnapshot {
  if (!previous) return next;
  // What the log says changes once a cycle, and much is drawn from it.
  const usage = isSame(previous.usage, next.usage) ? previous.usage : next.usage;
  const relay = isSame(previous.relay, next.relay) ? previous.relay : next.relay;
  const agents = isSame(previous.agents, next.agents) ? previous.agents : next.agents;
  const window = isSame(previous.window, next.window) ? previous.window : next.window;
  const shared = { ...next, usage, relay, agents, window };
  if (!previous.payload || !next.payload) return shared;
  const known = new Map<string, ReportSection>(previous.payload.sections.map((section) => [section.id, section]));
  const sections = next.payload.sections.map((section) => {
    const old = known.get(section.id);
    return old !== undefined && isSame(old, section) ? old : section;
  });
  return { ...shared, payload: { ...next.payload, sections } };
}

/** Foldable parts below the summary. */
export type PartId = 'sections' | 'window' | 'agents' | 'relevance' | 'relay' | 'history';

const PART_IDS: readonly PartId[] = ['sections', 'window', 'agents', 'relevance', 'relay', 'history'];

/** What the user did to the view of one folder. */
interface FolderUi {
  readonly openIds: readonly string[];
  readonly isFilterOpen: boolean;
  readonly filterText: string;
  readonly show: readonly ShowOnly[];
  /** The finding whose review set the filter, until the filter is changed. */
  readonly reviewed: string | undefined;
  /** The row that Tab reaches; the first one when it is not shown. */
  readonly focusedId: string | undefined;
  /** Opened essentials and rules of the Relay part. */
  readonly openRelayItems: readonly string[];
  /** What was typed as the task and not applied yet. */
  readonly taskDraft: string | undefined;
  /** What the Relay part has opened by itself for; it does so once for each. */
  readonly relayAlarms: readonly string[];
  /** The same of *Truncated by Agents*. */
  readonly agentAlarms: readonly string[];
  /** Whatever else is opened, or folded where it is open at first: an agent's files, a section's entries and text. */
  readonly openItems: readonly string[];
}

/** What outlives a hidden panel: kept with the webview's own state, never sent to the host. */
export interface UiState extends FolderUi {
  readonly foldedParts: readonly PartId[];
  readonly scrollTop: number;
  /** URI of the folder that it is about; undefined before the first snapshot. */
  readonly folderUri: string | undefined;
  /** What waits for the user to come back to other folders, by their URIs. */
  readonly otherFolders: Readonly<Record<string, FolderUi>>;
}

interface WindowPlace {
  readonly window: PanelWindow;
  readonly payload: PanelPayload | undefined;
}

export interface PanelState {
  readonly revision: number;
  readonly snapshot: PanelSnapshot | undefined;
  /** A copy was asked for while the numbers were still estimates; the host copies when they are exact. */
  readonly isCopyPending: boolean;
  /** Where the threshold's slider stands, as long as that is not what the config says. */
  readonly draftThreshold: number | undefined;
  /** The last window that was shown, whose place is kept while the next one is not known; nothing of it is shown. */
  readonly windowPlace: WindowPlace | undefined;
  readonly ui: UiState;
}

export type PanelAction =
  | { readonly type: 'snapshot'; readonly revision: number; readonly snapshot: PanelSnapshot }
  | { readonly type: 'setOpen'; readonly sectionId: string; readonly isOpen: boolean }
  | { readonly type: 'focusRow'; readonly sectionId: string }
  /** The row must be there to be focused, whatever is folded or filtered. */
  | { readonly type: 'goToRow'; readonly sectionId: string }
  /** What is typed as the task; undefined restores the task in force. */
  | { readonly type: 'draftTask'; readonly text: string | undefined }
  | { readonly type: 'togglePart'; readonly part: PartId }
  | { readonly type: 'openPart'; readonly part: PartId }
  | { readonly type: 'toggleRelayItem'; readonly item: string }
  | { readonly type: 'toggleItem'; readonly item: string }
  | { readonly type: 'openFilter' }
  | { readonly type: 'closeFilter' }
  | { readonly type: 'setFilterText'; readonly text: string }
  | { readonly type: 'toggleShow'; readonly kind: ShowOnly }
  /** `findingKey`: the finding that is reviewed so. */
  | { readonly type: 'showOnly'; readonly kind: ShowOnly; readonly findingKey?: string | undefined }
  /** Only these sections, by the filter's text. */
  | { readonly type: 'showSections'; readonly names: readonly string[]; readonly findingKey?: string | undefined }
  /** What a finding offers is being done. */
  | { readonly type: 'applyFinding'; readonly key: string }
  /** The slider was moved. */
  | { readonly type: 'draftThreshold'; readonly threshold: number }
  | { readonly type: 'copy' }
  | { readonly type: 'scroll'; readonly top: number };

const INITIAL_FOLDER_UI: FolderUi = {
  openIds: [],
  isFilterOpen: false,
  filterText: '',
  show: [],
  reviewed: undefined,
  focusedId: undefined,
  openRelayItems: [],
  taskDraft: undefined,
  relayAlarms: [],
  agentAlarms: [],
  openItems: [],
};

export const INITIAL_UI: UiState = {
  ...INITIAL_FOLDER_UI,
  // Advice and history wait behind their headers; the sections come first (PANEL §7).
  foldedParts: ['window', 'agents', 'relevance', 'relay', 'history'],
  scrollTop: 0,
  folderUri: undefined,
  otherFolders: {},
};

/** The state before the first snapshot. */
export function initialState(ui: UiState): PanelState {
  return {
    revision: -1,
    snapshot: undefined,
    isCopyPending: false,
    draftThreshold: undefined,
    windowPlace: undefined,
    ui,
  };
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

type Saved<T> = Partial<Record<keyof T, unknown>>;

function asSaved<T>(value: unknown): Saved<T> {
  return typeof value === 'object' && value !== null ? value : {};
}

function restoreFolderUi(saved: Saved<FolderUi>): FolderUi {
  return {
    openIds: strings(saved.openIds),
    isFilterOpen: saved.isFilterOpen === true,
    filterText: typeof saved.filterText === 'string' ? saved.filterText : '',
    show: SHOW_ONLY.filter((kind) => strings(saved.show).includes(kind)),
    reviewed: typeof saved.reviewed === 'string' ? saved.reviewed : undefined,
    focusedId: typeof saved.focusedId === 'string' ? saved.focusedId : undefined,
    openRelayItems: strings(saved.openRelayItems),
    taskDraft: typeof saved.taskDraft === 'string' ? saved.taskDraft : undefined,
    relayAlarms: strings(saved.relayAlarms),
    agentAlarms: strings(saved.agentAlarms),
    openItems: strings(saved.openItems),
  };
}

/** Reads what an earlier panel kept; anything missing or malformed falls back to its default. */
export function restoreUi(value: unknown): UiState {
  const saved = asSaved<UiState>(value);
  const others = Object.entries(asSaved<Record<string, unknown>>(saved.otherFolders));
  return {
    ...restoreFolderUi(saved),
    foldedParts: Array.isArray(saved.foldedParts)
      ? PART_IDS.filter((part) => strings(saved.foldedParts).includes(part))
      : INITIAL_UI.foldedParts,
    scrollTop: typeof saved.scrollTop === 'number' && saved.scrollTop > 0 ? saved.scrollTop : 0,
    folderUri: typeof saved.folderUri === 'string' ? saved.folderUri : undefined,
    otherFolders: Object.fromEntries(others.map(([uri, each]) => [uri, restoreFolderUi(asSaved(each))])),
  };
}

/** The view of the folder that a snapshot is of, as it was left; that of the folder before is kept. */
function uiOf(ui: UiState, folderUri: string): UiState {
  if (ui.folderUri === folderUri) return ui;
  const { foldedParts, scrollTop, folderUri: before, otherFolders, ...own } = ui;
  if (before === undefined) return { ...ui, folderUri };
  const { [folderUri]: kept = INITIAL_FOLDER_UI, ...others } = otherFolders;
  return { ...kept, foldedParts, scrollTop, folderUri, otherFolders: { ...others, [before]: own } };
}

const NO_FILTER = { filterText: '', show: [], reviewed: undefined } as const;

type AlarmList = 'relayAlarms' | 'agentAlarms';

/** Opens a part when something is missing or amiss that was not before; `undefined` alarms are not known yet. */
function withAlarms(ui: UiState, part: PartId, list: AlarmList, alarms: readonly string[] | undefined): UiState {
  // Not read yet, or gone: what was told before stays told.
  if (!alarms || alarms.join() === ui[list].join()) return ui;
  const isNew = alarms.some((alarm) => !ui[list].includes(alarm));
  const foldedParts = isNew ? ui.foldedParts.filter((each) => each !== part) : ui.foldedParts;
  return { ...ui, foldedParts, [list]: alarms };
}

/** The parts that open by themselves: Relay when an essential is missing, agents when one cuts a file. */
function withOpenedParts(ui: UiState, { relay, agents, agentNames }: PanelSnapshot): UiState {
  // Agents are held against the active file: what they cut for another one was told all the same.
  const alarms = agents && [...new Set([...ui.agentAlarms, ...agentAlarms(splitAgents(agents, agentNames).own)])];
  const opened = withAlarms(ui, 'agents', 'agentAlarms', alarms);
  return withAlarms(opened, 'relay', 'relayAlarms', relay && relayAlarms(relay));
}

function toggled(items: readonly string[], item: string): readonly string[] {
  return items.includes(item) ? items.filter((each) => each !== item) : [...items, item];
}

function reduceUi(ui: UiState, action: PanelAction): UiState {
  switch (action.type) {
    case 'setOpen': {
      if (ui.openIds.includes(action.sectionId) === action.isOpen) return ui;
      const others = ui.openIds.filter((id) => id !== action.sectionId);
      return { ...ui, openIds: action.isOpen ? [...others, action.sectionId] : others };
    }
    case 'focusRow':
      return ui.focusedId === action.sectionId ? ui : { ...ui, focusedId: action.sectionId };
    case 'draftTask':
      return ui.taskDraft === action.text ? ui : { ...ui, taskDraft: action.text };
    case 'togglePart': {
      const isFolded = ui.foldedParts.includes(action.part);
      const others = ui.foldedParts.filter((part) => part !== action.part);
      return { ...ui, foldedParts: isFolded ? others : [...others, action.part] };
    }
    case 'openPart':
      return ui.foldedParts.includes(action.part) ? reduceUi(ui, { type: 'togglePart', part: action.part }) : ui;
    case 'toggleRelayItem':
      return { ...ui, openRelayItems: toggled(ui.openRelayItems, action.item) };
    case 'toggleItem':
      return { ...ui, openItems: toggled(ui.openItems, action.item) };
    case 'openFilter':
      return { ...ui, isFilterOpen: true, foldedParts: ui.foldedParts.filter((part) => part !== 'sections') };
    case 'closeFilter':
      return { ...ui, isFilterOpen: false, ...NO_FILTER };
    case 'setFilterText':
      return ui.filterText === action.text ? ui : { ...ui, filterText: action.text, reviewed: undefined };
    case 'toggleShow': {
      const show = SHOW_ONLY.filter((kind) => ui.show.includes(kind) !== (kind === action.kind));
      return { ...ui, show, reviewed: undefined };
    }
    case 'showOnly':
      return {
        ...reduceUi(ui, { type: 'openFilter' }),
        ...NO_FILTER,
        show: [action.kind],
        reviewed: action.findingKey,
      };
    case 'showSections': {
      const filterText = action.names.map(quoted).join(', ');
      return { ...reduceUi(ui, { type: 'openFilter' }), ...NO_FILTER, filterText, reviewed: action.findingKey };
    }
    case 'applyFinding':
      return ui.reviewed === action.key ? reduceUi(ui, { type: 'closeFilter' }) : ui;
    case 'scroll':
      return ui.scrollTop === action.top ? ui : { ...ui, scrollTop: action.top };
    default:
      return ui;
  }
}

/** Whether two snapshots are of the same folder; only then does one tell what changed since the other. */
export function isSameFolder(before: PanelSnapshot | undefined, next: PanelSnapshot | undefined): boolean {
  return before?.folderUri === next?.folderUri;
}

/** The slider's place, unless the config's threshold changed or is that of another folder: then that counts. */
function keptDraft({ snapshot, draftThreshold }: PanelState, next: PanelSnapshot): number | undefined {
  const isSameConfig = isSameFolder(snapshot, next) && snapshot?.scoring.threshold === next.scoring.threshold;
  return isSameConfig ? draftThreshold : undefined;
}

/** What is typed as the task and not in force; undefined where nothing is, or where it differs by blank ends alone. */
export function taskToApply(task: string, draft: string | undefined): string | undefined {
  return draft?.trim() === task ? undefined : draft;
}

/** What is typed as the task goes once it is in force; what is typed while an earlier one comes into force stays. */
function keptUi(ui: UiState, next: PanelSnapshot): UiState {
  return ui.taskDraft?.trim() === next.task ? { ...ui, taskDraft: undefined } : ui;
}

function keptPlace({ snapshot, windowPlace }: PanelState, next: PanelSnapshot): WindowPlace | undefined {
  if (next.window || !next.isWindowPending) return undefined;
  return snapshot?.window ? { window: snapshot.window, payload: snapshot.payload } : windowPlace;
}

/** The view with a row in it: what folds or filters it away goes. */
function uiWithRow({ ui, snapshot }: PanelState, sectionId: string): UiState {
  const section = snapshot?.payload?.sections.find(({ id }) => id === sectionId);
  const isShown = section !== undefined && matchesFilter(section, ui.filterText, ui.show);
  const foldedParts = ui.foldedParts.filter((part) => part !== 'sections');
  return { ...(isShown ? ui : { ...ui, ...NO_FILTER }), foldedParts, focusedId: sectionId };
}

/** The next state. Snapshots older than the one shown are dropped; unchanged sections keep their identity. */
export function reduce(state: PanelState, action: PanelAction): PanelState {
  switch (action.type) {
    case 'snapshot': {
      if (action.revision < state.revision) return state;
      const isExact = action.snapshot.payload?.budget.isExact ?? false;
      const isSame = isSameFolder(state.snapshot, action.snapshot);
      return {
        ...state,
        revision: action.revision,
        snapshot: shareUnchanged(state.snapshot, action.snapshot),
        isCopyPending: state.isCopyPending && isSame && !isExact,
        draftThreshold: keptDraft(state, action.snapshot),
        windowPlace: keptPlace(state, action.snapshot),
        ui: withOpenedParts(keptUi(uiOf(state.ui, action.snapshot.folderUri), action.snapshot), action.snapshot),
      };
    }
    case 'draftThreshold': {
      const inForce = state.snapshot?.scoring.threshold;
      const draftThreshold = action.threshold === inForce ? undefined : action.threshold;
      return state.draftThreshold === draftThreshold ? state : { ...state, draftThreshold };
    }
    case 'goToRow':
      return { ...state, ui: uiWithRow(state, action.sectionId) };
    case 'copy': {
      const isPending = state.snapshot?.payload?.budget.isExact !== true;
      return state.isCopyPending === isPending ? state : { ...state, isCopyPending: isPending };
    }
    default: {
      const ui = reduceUi(state.ui, action);
      return ui === state.ui ? state : { ...state, ui };
    }
  }
}
