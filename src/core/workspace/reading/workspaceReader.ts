/**
 * What a workspace reads of its folder, and what an event makes stale: config, listing, definitions, sections. It decides
 * what must be read again; it builds no report and knows nothing of the symbol index.
 */

import { CONFIG_PATH, DEFAULT_CONFIG, parseConfig } from '../../config/config';
import { idleKeys } from '../../config/idleKeys';
import { isUsageFile } from '../../files/usageFiles';
import type { AgentId } from '../../model/agent';
import type { Problem } from '../../model/problem';
import { makeProblem } from '../../model/problem';
import type { LeftOutCounts } from '../../model/report';
import type { CollectedSection } from '../../model/section';
import { dependsOnMachine } from '../../pipeline/collect/builtins';
import { type CollectContext, pendingSections, SectionCollector } from '../../pipeline/collect/collector';
import { fileRole, isForeign } from '../../pipeline/collect/fileRules';
import { readTrackedIgnored } from '../../pipeline/collect/gitSource';
import { hasRelay, isOfRelay } from '../../pipeline/collect/relaySource';
import { resolveSections } from '../../pipeline/collect/resolveSections';
import type { FileRead } from '../../ports/ports';
import type { RelayStatus } from '../../relay/relayWatch';
import { type WorkingQuery, workingQuery } from '../../repomap/ranking/workingQuery';
import { bytesOf } from '../../text/counts';
import { decodeText } from '../../text/decode';
import { type Phrase, phrase } from '../../text/phrase';
import { isOpenable } from '../openable';
import type { WorkspaceObservations } from '../workspaceObservations';
import type { WorkspaceEvent, WorkspacePorts, WorkspaceSnapshot, WorkspaceState } from '../workspaceState';
import { CommandThrottle } from './commandThrottle';
import { FolderListing } from './folderListing';
import { RelayReader } from './relayReader';
import { type SectionRead, SectionRounds } from './sectionRounds';

/** A config larger than this is not one. */
const MAX_CONFIG_BYTES = 1_000_000;

/** The files of a listing without those of the usage log. */
interface Listed {
  readonly all: ReadonlySet<string>;
  readonly usageLog: string;
  readonly own: ReadonlySet<string>;
  readonly list: readonly string[];
}

export class WorkspaceReader {
  readonly listing: FolderListing;
  readonly #collector: SectionCollector;
  readonly #rounds: SectionRounds;
  readonly #pace: CommandThrottle;
  readonly #relay: RelayReader;
  #configState: WorkspaceSnapshot['configState'] = 'defaults';
  #configProblems: readonly Problem[] = [];
  /** Of the config in force; undefined where that is not the file. */
  #configText: string | undefined;
  #idleKeys: readonly Problem[] = [];
  #resolved: ReturnType<typeof resolveSections> = {
    definitions: [],
    problems: [],
    leftOut: [],
    agents: [],
  };
  /** Increases when anything that is read may have become another. */
  #revision = 0;
  #isConfigStale = true;
  #isListingStale = true;
  /** What Git said it tracks although it is ignored, and whether it was asked with trust. */
  #tracked: { readonly isTrusted: boolean; readonly paths: readonly string[] } | undefined;
  #isTrackedStale = true;
  /** Whether there is a relay log or a ledger: without one no row of it is shown, not even while things are read. */
  #hasRelay = false;
  #isRelayStale = true;
  /** `files`, made of these. */
  #files: Listed | undefined;

  constructor(
    private readonly ports: WorkspacePorts,
    private readonly state: WorkspaceState,
    observations: WorkspaceObservations,
  ) {
    this.listing = new FolderListing(ports.files, ports.clock, ports.walk);
    this.#pace = new CommandThrottle(ports.clock, () => {
      this.outdate();
      this.#collector.invalidate({ kind: 'commands' });
      state.reportWanted.fire();
    });
    this.#relay = new RelayReader(ports);
    const relay = {
      paths: () => [state.config.relay.path, state.config.relay.ledger],
      read: () => this.#relay.read(state.config.relay),
    };
    const readObservations = () => observations.readSection();
    this.#collector = new SectionCollector({ ...ports, readObservations, relay }, (isRunning) =>
      isRunning ? this.#pace.started() : this.#pace.ended(),
    );
    this.#rounds = new SectionRounds(this.#collector, ports.clock, ports.logger);
  }

  get configState(): WorkspaceSnapshot['configState'] {
    return this.#configState;
  }

  /** Without those of the usage log, which are no part of the context. */
  get files(): ReadonlySet<string> {
    return this.#listed.own;
  }

  get #listed(): Listed {
    const all = this.listing.files;
    const { usageLog } = this.state.config;
    if (this.#files?.all !== all || this.#files.usageLog !== usageLog) {
      const list = [...all].filter((path) => !isUsageFile(usageLog, path));
      this.#files = { all, usageLog, list, own: list.length === all.size ? all : new Set(list) };
    }
    return this.#files;
  }

  /** Whether a file may be opened by its name. */
  isOpenable(path: string): Promise<boolean> {
    return isOpenable(path, { files: this.ports.files, listing: this.listing, config: this.state.config });
  }

  /** What is being worked on, as far as it is known. */
  get work(): WorkingQuery {
    const { editor } = this.ports;
    return workingQuery({
      openEditors: editor?.openEditors() ?? [],
      diagnostics: editor?.diagnostics() ?? [],
      changedPaths: this.#collector.changedPaths,
    });
  }

  /** The relay context as it was last read; undefined where there is none. */
  get relay(): RelayStatus | undefined {
    const isThere = this.#resolved.definitions.some(
      ({ source }) => source.kind === 'builtin' && source.builtin === 'relay',
    );
    return isThere ? this.#relay.status : undefined;
  }

  get problems(): readonly Problem[] {
    return [...this.#configProblems, ...this.#idleKeys, ...this.listing.problems, ...this.#resolved.problems];
  }

  get hasInstructions(): boolean {
    return this.#resolved.definitions.some((definition) => definition.source.kind !== 'builtin');
  }

  /** Takes an event in; returns the listed files whose symbols may have changed. */
  take(event: WorkspaceEvent): readonly string[] {
    this.outdate();
    switch (event.kind) {
      case 'rescan':
        this.#isConfigStale = this.#isListingStale = this.#isRelayStale = true;
        this.#collector.invalidate({ kind: 'all' });
        return [];
      case 'files':
        return this.#takeFiles(event.changed, event.removed);
      default:
        if (event.kind === 'git') this.#isTrackedStale = true;
        this.#collector.invalidate(event);
        return [];
    }
  }

  /** An event with the links to what changed, whose texts changed with it. */
  withLinks(event: WorkspaceEvent): WorkspaceEvent {
    if (event.kind !== 'files') return event;
    return { ...event, changed: [...event.changed, ...this.listing.linksTo([...event.changed, ...event.removed])] };
  }

  /** Reads config and listing if they are stale; true when there was something to read. */
  async prepare(signal: AbortSignal): Promise<boolean> {
    await this.#lookAtTracked(signal);
    const isStale = this.#isConfigStale || this.#isListingStale;
    const hasNews = isStale || this.#isRelayStale;
    if (this.#isConfigStale) {
      this.#isConfigStale = false;
      await this.#readConfig();
    }
    if (this.#isListingStale) {
      this.#isListingStale = false;
      await this.listing.walk(signal, this.#readTracked(signal));
      // A turn of its own for what follows, so that neither holds the host's thread up for long.
      await new Promise<void>((resolve) => this.ports.clock.schedule(resolve, 0));
    }
    if (this.#isRelayStale) {
      this.#isRelayStale = false;
      this.#hasRelay = await hasRelay(this.ports.files, this.state.config.relay);
    }
    this.#resolved = resolveSections(this.state.config, this.#listed.list, {
      hasEditor: this.ports.editor !== undefined,
      hasProcesses: this.ports.processes !== undefined,
      hasObservations: this.ports.openObservationLog !== undefined,
      hasRelay: this.#hasRelay,
      links: this.listing.links,
      agents: this.#foundAgents,
    });
    const { definitions } = this.#resolved;
    const text = this.#configText;
    this.#idleKeys = text === undefined ? [] : idleKeys(text, this.state.config, definitions);
    if (this.state.preferences.isComparable) {
      const comparable = definitions.filter(({ source }) => !dependsOnMachine(source));
      this.#resolved = { ...this.#resolved, definitions: comparable };
    }
    // A round may have begun with what is replaced here.
    if (hasNews) this.outdate();
    return isStale;
  }

  /** After a change of Git's own files or of trust: the folder is walked again when other files are tracked than before. */
  async #lookAtTracked(signal: AbortSignal): Promise<void> {
    const { isTrusted } = this.state.preferences;
    const isAsked = this.#isTrackedStale || this.#tracked?.isTrusted !== isTrusted;
    if (this.#isListingStale || !isAsked) return;
    const before = this.#tracked?.paths;
    const now = await this.#readTracked(signal);
    if (before?.join('\0') !== now.join('\0')) this.#isListingStale = true;
  }

  async #readTracked(signal: AbortSignal): Promise<readonly string[]> {
    const { processes, gitDirectories } = this.ports;
    const { isTrusted } = this.state.preferences;
    this.#isTrackedStale = false;
    const paths = await readTrackedIgnored(processes, gitDirectories, isTrusted, signal);
    if (signal.aborted) this.#isTrackedStale = true;
    else this.#tracked = { isTrusted, paths };
    return paths;
  }

  /** Agents that the user chose or the host found; the agent that the profile is for is one of these. */
  get #foundAgents() {
    const { preferences, profile } = this.state;
    const { agents: chosen, installedAgents = [] } = preferences;
    return { chosen, installed: profile.agent ? [...installedAgents, profile.agent] : installedAgents };
  }

  /** Agents in use in the folder. */
  get agents(): readonly AgentId[] {
    return this.#resolved.agents;
  }

  /** Context files that were found and are no section. */
  get leftOut(): LeftOutCounts {
    const ignored = this.listing.ignored.filter((path) => fileRole(path) !== undefined && !isForeign(path));
    return { foreign: this.#resolved.leftOut.length, ignored: ignored.length };
  }

  /** All sections before any was read. */
  pending(): readonly CollectedSection[] {
    return pendingSections(this.#resolved.definitions, this.state.config);
  }

  /** What is read depends on more than files: a reading under way no longer counts. */
  outdate(): void {
    this.#revision++;
  }

  /** Reads what is stale; after `patienceMs` goes on with what is there, the last state of the others, or pending. */
  read(isTrusted: boolean, patienceMs: number, signal: AbortSignal): Promise<SectionRead> {
    const context: CollectContext = { isTrusted, choices: this.state.config, files: this.#listed.list };
    const wish = { definitions: this.#resolved.definitions, context, key: `${this.#revision} ${isTrusted}` };
    return this.#rounds.read(wish, patienceMs, signal);
  }

  dispose(): void {
    this.#pace.dispose();
  }

  #takeFiles(allChanged: readonly string[], allRemoved: readonly string[]): readonly string[] {
    const { usageLog, observations, relay } = this.state.config;
    const isContext = (path: string): boolean => !isUsageFile(usageLog, path);
    const [changed, removed] = [allChanged.filter(isContext), allRemoved.filter(isContext)];
    const paths = [...changed, ...removed];
    const log = observations.path;
    if (paths.includes(CONFIG_PATH)) this.#isConfigStale = this.#isRelayStale = true;
    if (paths.some((path) => isOfRelay(path, relay))) this.#isRelayStale = true;
    // What the product itself records tells plug-ins nothing, and must not run them.
    const isOurs = (path: string): boolean => path === log || path.startsWith(`${log}.`);
    const hasCommands = this.#resolved.definitions.some((definition) => definition.source.kind === 'command');
    if (hasCommands && !paths.every(isOurs)) this.#pace.changed();
    const change = this.listing.apply(changed, removed);
    this.#collector.invalidate({ kind: 'files', paths: [...paths, ...change.changed] });
    if (change.needsWalk) this.#isListingStale = true;
    return [...change.changed, ...change.removed];
  }

  async #readConfig(): Promise<void> {
    const read = await this.ports.files.read(CONFIG_PATH, MAX_CONFIG_BYTES);
    if (read.kind === 'missing') {
      this.state.config = DEFAULT_CONFIG;
      this.#configState = 'defaults';
      this.#configProblems = [];
      this.#configText = undefined;
      return;
    }
    const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
    const { config, problems } =
      decoded?.kind === 'text' ? parseConfig(decoded.text) : { config: undefined, problems: [unreadableConfig(read)] };
    this.#configProblems = problems;
    this.#configText = config && decoded?.kind === 'text' ? decoded.text : undefined;
    if (config) {
      this.state.config = config;
      this.#configState = 'file';
    } else if (this.#configState !== 'defaults') {
      this.#configState = 'lastGood';
    }
  }
}

function whyUnreadable(read: FileRead): Phrase {
  if (read.kind === 'unreadable') return read.message;
  return read.kind === 'tooLarge'
    ? phrase('it has {0}, the limit is {1}', bytesOf(read.sizeBytes), MAX_CONFIG_BYTES)
    : phrase('it is not text');
}

function unreadableConfig(read: FileRead): Problem {
  const words = phrase('{0} could not be read: {1}.', CONFIG_PATH, whyUnreadable(read));
  return makeProblem('config', 'error', words, { path: CONFIG_PATH });
}
