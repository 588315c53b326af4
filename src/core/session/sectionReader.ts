/**
 * What a session reads of its folder, and what an event makes stale: config, listing, definitions, sections. It decides
 * what must be read again; it builds no report and knows nothing of the symbol index.
 */

import { CONFIG_PATH, type Config, DEFAULT_CONFIG, parseConfig } from '../config/config';
import type { Cancel, Disposable, FileRead } from '../ports';
import type { RelayStatus } from '../relay/relayWatch';
import { type WorkingQuery, workingQuery } from '../repomap/workingQuery';
import type { Problem } from '../report/contextReport';
import { makeProblem } from '../report/problem';
import { type CollectContext, pendingSections, SectionCollector, withChoices } from '../sections/collector';
import { resolveSections } from '../sections/discover';
import { hasRelay, isOfRelay } from '../sections/relaySource';
import type { CollectedSection, ObservationSection, SectionDefinition } from '../sections/section';
import { bytesOf } from '../text/counts';
import { decodeText } from '../text/decode';
import { type Phrase, phrase } from '../text/phrase';
import { isUsageFile } from '../usage/usagePaths';
import { CommandPace } from './commandPace';
import { FolderListing } from './folderListing';
import { isOpenable } from './openable';
import type { SessionEvent, SessionPorts, SessionSnapshot } from './session';
import { SessionRelay } from './sessionRelay';

/** A config larger than this is not one. */
const MAX_CONFIG_BYTES = 1_000_000;

/** Sections as far as they are there; `late` settles when the others are. */
export interface SectionRead {
  readonly sections: readonly CollectedSection[];
  readonly late: Promise<unknown> | undefined;
}

export class SectionReader {
  readonly #ports: SessionPorts;
  readonly #listing: FolderListing;
  readonly #collector: SectionCollector;
  readonly #pace: CommandPace;
  readonly #relay: SessionRelay;
  #config: Config = DEFAULT_CONFIG;
  #configState: SessionSnapshot['configState'] = 'defaults';
  #configProblems: readonly Problem[] = [];
  #definitions: readonly SectionDefinition[] = [];
  #definitionProblems: readonly Problem[] = [];
  /** What the last reads gave, by id; `undefined` for a section that does not exist here. */
  #known = new Map<string, CollectedSection | undefined>();
  /** Sections that were too slow last time: nobody waits for them again. */
  readonly #lateIds = new Set<string>();
  #isConfigStale = true;
  #isListingStale = true;
  /** Whether there is a relay log or a ledger: without one no row of it is shown, not even while things are read. */
  #hasRelay = false;
  #isRelayStale = true;
  /** `files`, made of these. */
  #files:
    | { readonly all: ReadonlySet<string>; readonly usageLog: string; readonly own: ReadonlySet<string> }
    | undefined;

  /** @param onCommandsExpired called when plug-ins are due to run again. */
  constructor(
    ports: SessionPorts,
    onCommandsExpired: () => void,
    readObservations?: () => Promise<ObservationSection | undefined>,
  ) {
    this.#ports = ports;
    this.#listing = new FolderListing(ports.files, ports.clock);
    this.#pace = new CommandPace(ports.clock, () => {
      this.#collector.invalidate({ kind: 'commands' });
      onCommandsExpired();
    });
    this.#relay = new SessionRelay(ports);
    const relay = {
      paths: () => [this.#config.relay.path, this.#config.relay.ledger],
      read: () => this.#relay.read(this.#config.relay),
    };
    this.#collector = new SectionCollector({ ...ports, readObservations, relay }, (isRunning) => {
      if (isRunning) this.#pace.started();
      else this.#pace.ended();
    });
  }

  get config(): Config {
    return this.#config;
  }

  get configState(): SessionSnapshot['configState'] {
    return this.#configState;
  }

  /** Without those of the usage log, which are no part of the context. */
  get files(): ReadonlySet<string> {
    const all = this.#listing.files;
    const { usageLog } = this.#config;
    if (this.#files?.all !== all || this.#files.usageLog !== usageLog) {
      const own = [...all].filter((path) => !isUsageFile(usageLog, path));
      this.#files = { all, usageLog, own: own.length === all.size ? all : new Set(own) };
    }
    return this.#files.own;
  }

  /** Those of `files` that are links, with the file inside the folder that each leads to. */
  get links(): ReadonlyMap<string, string> {
    return this.#listing.links;
  }

  /** Whether a file may be opened by its name. */
  isOpenable(path: string): Promise<boolean> {
    return isOpenable(path, { files: this.#ports.files, listing: this.#listing, config: this.#config });
  }

  /** Whether a path is left out of `files` on purpose. */
  isIgnored(path: string, isFolder: boolean): boolean {
    return this.#listing.isIgnored(path, isFolder);
  }

  /** What is being worked on, as far as it is known. */
  get work(): WorkingQuery {
    const { editor } = this.#ports;
    return workingQuery({
      openEditors: editor?.openEditors() ?? [],
      diagnostics: editor?.diagnostics() ?? [],
      changedPaths: this.#collector.changedPaths,
    });
  }

  /** The relay context as it was last read; undefined where there is none. */
  get relay(): RelayStatus | undefined {
    const isThere = this.#definitions.some(({ source }) => source.kind === 'builtin' && source.builtin === 'relay');
    return isThere ? this.#relay.status : undefined;
  }

  get problems(): readonly Problem[] {
    return [...this.#configProblems, ...this.#listing.problems, ...this.#definitionProblems];
  }

  get hasInstructions(): boolean {
    return this.#definitions.some((definition) => definition.source.kind !== 'builtin');
  }

  /** Takes an event in; returns the listed files whose symbols may have changed. */
  take(event: SessionEvent): readonly string[] {
    switch (event.kind) {
      case 'rescan':
        this.#isConfigStale = this.#isListingStale = this.#isRelayStale = true;
        this.#collector.invalidate({ kind: 'all' });
        return [];
      case 'files':
        return this.#takeFiles(event.changed, event.removed);
      default:
        this.#collector.invalidate(event);
        return [];
    }
  }

  forgetAll(): void {
    this.take({ kind: 'rescan' });
  }

  /** Reads config and listing if they are stale; true when there was something to read. */
  async prepare(cancel: Cancel): Promise<boolean> {
    const isStale = this.#isConfigStale || this.#isListingStale;
    if (this.#isConfigStale) {
      this.#isConfigStale = false;
      await this.#readConfig();
    }
    if (this.#isListingStale) {
      this.#isListingStale = false;
      await this.#listing.walk(cancel);
      // A turn of its own for what follows, so that neither holds the host's thread up for long.
      await new Promise<void>((resolve) => this.#ports.clock.schedule(resolve, 0));
    }
    if (this.#isRelayStale) {
      this.#isRelayStale = false;
      this.#hasRelay = await hasRelay(this.#ports.files, this.#config.relay);
    }
    const { definitions, problems } = resolveSections(this.#config, [...this.files], {
      hasEditor: this.#ports.editor !== undefined,
      hasProcesses: this.#ports.processes !== undefined,
      hasObservations: this.#ports.openObservationLog !== undefined,
      hasRelay: this.#hasRelay,
      links: this.#listing.links,
    });
    this.#definitions = definitions;
    this.#definitionProblems = problems;
    return isStale;
  }

  /** All sections before any was read. */
  pending(): readonly CollectedSection[] {
    return pendingSections(this.#definitions, this.#config);
  }

  /** Reads what is stale; after `patienceMs` goes on with what is there, the last state of the others, or pending. */
  async read(isTrusted: boolean, patienceMs: number, cancel: Cancel): Promise<SectionRead> {
    const choices = this.#config;
    const context: CollectContext = { isTrusted, choices, files: [...this.files] };
    const definitions = this.#definitions;
    const fresh = new Map<string, CollectedSection | undefined>();
    const prompt = new Set(definitions.map(({ id }) => id).filter((id) => !this.#lateIds.has(id)));
    let arePromptOnesThere: () => void = () => undefined;
    const promptOnes = new Promise<void>((resolve) => {
      arePromptOnesThere = resolve;
      if (prompt.size === 0) resolve();
    });
    const whole = this.#collector
      .collect(
        definitions,
        context,
        ({ id, section }) => {
          fresh.set(id, section);
          this.#lateIds.delete(id);
          if (prompt.delete(id) && prompt.size === 0) arePromptOnesThere();
        },
        cancel,
      )
      .then((sections) => {
        for (const { id } of definitions) this.#known.set(id, undefined);
        for (const section of sections) this.#known.set(section.id, section);
        return sections;
      });
    await this.#first([promptOnes, whole], patienceMs);
    if (definitions.every(({ id }) => fresh.has(id))) return { sections: await whole, late: undefined };
    for (const { id } of definitions) if (!fresh.has(id)) this.#lateIds.add(id);
    this.#ports.logger.debug(`late: ${[...this.#lateIds].join(', ')}`);
    const pending = pendingSections(definitions, choices);
    const sections = definitions
      .map((definition, index) => {
        const { id } = definition;
        if (fresh.has(id)) return fresh.get(id);
        if (!this.#known.has(id)) return pending[index];
        const known = this.#known.get(id);
        // What it said last, as the config wants it now: a pin or an exclusion does not wait for a slow plug-in.
        return known && withChoices(definition, { body: known.body, path: known.path, note: known.note }, choices);
      })
      .filter((section) => section !== undefined);
    return { sections, late: whole };
  }

  dispose(): void {
    this.#pace.dispose();
  }

  #takeFiles(allChanged: readonly string[], allRemoved: readonly string[]): readonly string[] {
    const isContext = (path: string): boolean => !isUsageFile(this.#config.usageLog, path);
    const [changed, removed] = [allChanged.filter(isContext), allRemoved.filter(isContext)];
    const paths = [...changed, ...removed];
    const log = this.#config.observations.path;
    if (paths.includes(CONFIG_PATH)) this.#isConfigStale = this.#isRelayStale = true;
    if (paths.some((path) => isOfRelay(path, this.#config.relay))) this.#isRelayStale = true;
    // What the product itself records tells plug-ins nothing, and must not run them.
    const isOurs = (path: string): boolean => path === log || path.startsWith(`${log}.`);
    const hasCommands = this.#definitions.some((definition) => definition.source.kind === 'command');
    if (hasCommands && !paths.every(isOurs)) this.#pace.changed();
    const change = this.#listing.apply(changed, removed);
    this.#collector.invalidate({ kind: 'files', paths: [...paths, ...change.changed] });
    if (change.needsWalk) this.#isListingStale = true;
    return [...change.changed, ...change.removed];
  }

  async #readConfig(): Promise<void> {
    const read = await this.#ports.files.read(CONFIG_PATH, MAX_CONFIG_BYTES);
    if (read.kind === 'missing') {
      this.#config = DEFAULT_CONFIG;
      this.#configState = 'defaults';
      this.#configProblems = [];
      return;
    }
    const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
    const { config, problems } =
      decoded?.kind === 'text' ? parseConfig(decoded.text) : { config: undefined, problems: [unreadableConfig(read)] };
    this.#configProblems = problems;
    if (config) {
      this.#config = config;
      this.#configState = 'file';
    } else if (this.#configState !== 'defaults') {
      this.#configState = 'lastGood';
    }
  }

  /** Resolves when one of `promises` does, or after `delayMs`. */
  async #first(promises: readonly Promise<unknown>[], delayMs: number): Promise<void> {
    let timer: Disposable | undefined;
    const elapsed = new Promise<void>((resolve) => {
      timer = this.#ports.clock.schedule(resolve, delayMs);
    });
    try {
      await Promise.race([...promises, elapsed]);
    } finally {
      timer?.dispose();
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
