/** What handles of one folder lead to, and what names and texts are found in it. `Workspace` documents the methods. */
import { isObservationHandle } from '../model/observation';
import type { MapSymbol, NamedSymbols } from '../model/repoMap';
import type { ContextReport } from '../model/report';
import { ObservationError } from '../observations/observationError';
import type { ObservationService } from '../observations/observationService';
import { asReported } from '../pipeline/route/defaultPriorities';
import { maskStrings, UNMASKED } from '../secrets/masking';
import { createEscape, sectionHandle, sectionOfHandle, splitLines } from '../text/elements';
import { isSafePath, normalizePath } from '../text/safePath';
import { cleanText } from '../text/sentence';
import { findTextBlocks, maskTextBlocks, type TextBlock } from './codeLines';
import { masksFor } from './detailMasks';
import {
  answerDetail,
  type DetailAnswer,
  type DetailOptions,
  type DetailWorld,
  handleOfRow,
  type ResolvedHandles,
  readText,
  resolveHandles,
  sectionText,
  symbolTokens,
} from './detailResolver';
import type { SymbolIndexing } from './indexing/symbolIndexing';
import type { MapQueries } from './mapQueries';
import type { WorkspaceReader } from './reading/workspaceReader';
import type { Scheduler } from './scheduler';
import type { SecretOptions, WorkspacePorts, WorkspaceState } from './workspaceState';

/** Tokens kept free for the tags around one expanded section. */
const DETAIL_OVERHEAD_TOKENS = 60;

/** Observations that one question to the worker asks for. */
const ROWS_A_PAGE = 1000;

/** A symbol with the tokens of its detail, where they are known. */
export type SizedSymbol = MapSymbol & { readonly tokens: number | undefined };

/** What is known of a folder so far, and how to wait for more (as in `Workspace`). */
interface Known {
  readonly snapshot: { readonly report: ContextReport | undefined };
  readonly observations: ObservationService | undefined;
  whenListed(): Promise<unknown>;
  whenCollected(): Promise<unknown>;
  whenReady(): Promise<unknown>;
}

/** Whether a handle leads to what is collected: a section or an observation. */
function isOfSections(handle: string): boolean {
  return handle.startsWith('section:') || isObservationHandle(splitLines(handle).base);
}

export class DetailQueries {
  constructor(
    private readonly ports: Pick<WorkspacePorts, 'engine' | 'files'>,
    private readonly state: WorkspaceState,
    private readonly parts: {
      readonly reader: Pick<WorkspaceReader, 'isOpenable'>;
      readonly indexing: Pick<SymbolIndexing, 'status'>;
      readonly maps: MapQueries;
      readonly work: Pick<Scheduler, 'isLate' | 'mappable'>;
    },
    private readonly known: Known,
  ) {}

  async detail(handles: readonly string[], options: DetailOptions): Promise<DetailAnswer> {
    await this.#readyFor(handles);
    const { profile, preferences } = this.state;
    return answerDetail(this.#detailWorld(options), handles, profile, preferences.tokenizer, options);
  }

  async resolve(handles: readonly string[]): Promise<ResolvedHandles> {
    await this.#readyFor(handles);
    return resolveHandles(this.#detailWorld({}), handles);
  }

  async findNames(
    name: string,
    sized: number,
  ): Promise<{ readonly how: NamedSymbols['how']; readonly symbols: readonly SizedSymbol[] }> {
    await this.parts.work.mappable({ query: name, focusPaths: [] });
    const { how, symbols } = await this.ports.engine.findNames(name);
    const tokens = await this.symbolTokens(symbols.slice(0, sized));
    const masked = maskStrings(symbols, await masksFor(this.ports.engine, symbols));
    return { how, symbols: masked.map((symbol, at) => ({ ...symbol, tokens: tokens[at] })) };
  }

  async findLines(text: string): Promise<readonly TextBlock[]> {
    await this.parts.work.mappable({ query: text, focusPaths: [] });
    const world = this.#detailWorld({});
    const { blocks, texts } = await findTextBlocks(await this.ports.engine.findHolders(text), text, (path) =>
      readText(world, path),
    );
    const masks = await masksFor(world.engine, { blocks, texts: [...texts.values()] });
    return maskTextBlocks(blocks, texts, masks);
  }

  symbolTokens(symbols: readonly MapSymbol[]): Promise<readonly (number | undefined)[]> {
    return symbolTokens(this.#detailWorld({}), symbols, (texts) => this.#countTokens(texts));
  }

  /** Texts that are read need no symbol index, which takes its time in a large folder. */
  async #readyFor(handles: readonly string[]): Promise<void> {
    const asked = handles.map(handleOfRow);
    if (await this.#needSymbols(asked)) await this.known.whenReady();
    else if (!asked.some(isOfSections)) await this.known.whenListed();
    else {
      await this.known.whenCollected();
      const ids = asked.flatMap((handle) => sectionOfHandle(handle)?.id ?? []);
      if (ids.length > 0 && (this.parts.work.isLate || !ids.every((id) => this.#isRead(id))))
        await this.known.whenReady();
    }
  }

  /** Symbols are looked up by `sym:` and by every plain text that is neither an observation nor a file. */
  async #needSymbols(handles: readonly string[]): Promise<boolean> {
    if (handles.some((handle) => handle.startsWith('sym:'))) return true;
    const plain = handles.filter((handle) => !isOfSections(handle) && !handle.startsWith('file:'));
    const isFile = await Promise.all(plain.map((handle) => this.#isFile(splitLines(handle).base)));
    return isFile.includes(false);
  }

  async #isFile(path: string): Promise<boolean> {
    if (!isSafePath(path)) return false;
    await this.known.whenListed();
    return this.parts.reader.isOpenable(normalizePath(path));
  }

  /** Whether a section's text is there as it is; true for a section that does not exist. */
  #isRead(id: string): boolean {
    const kind = this.state.sections.find((section) => section.id === id)?.body.kind;
    return kind === undefined || kind === 'text' || kind === 'folder' || kind === 'observations';
  }

  /** Where texts behind handles come from. */
  #detailWorld(options: SecretOptions): DetailWorld {
    const { engine, files } = this.ports;
    const { config, profile } = this.state;
    return {
      engine,
      files,
      maxFileBytes: config.repoMap.maxFileBytes,
      isIndexReady: this.parts.indexing.status.current.phase === 'ready',
      isOpenable: (path) => this.parts.reader.isOpenable(path),
      observation: async (id) => (await this.known.observations?.details([id]))?.items[0],
      sectionText: async (name) => {
        const { id, key } = sectionOfHandle(sectionHandle(name)) ?? { id: name, key: undefined };
        const collected = this.state.sections.find((each) => each.id === id);
        const { report } = this.known.snapshot;
        const reported = report?.payloads.expanded.sections;
        // A key leads to its file, also from a payload that had the file elsewhere.
        const section = key === undefined && collected && reported ? asReported(collected, reported) : collected;
        const escapeTags = createEscape((reported ?? []).map((each) => each.id));
        const budgetTokens = Math.max(0, profile.detailTokens - DETAIL_OVERHEAD_TOKENS);
        const { query: task, focusPaths } = this.state.query;
        return (
          section &&
          sectionText(section, key, {
            report,
            observationRows: () => this.#observationRows(),
            mapText: async () => (await this.parts.maps.map({ budgetTokens, ...options })).text,
            // As the report counts them: without what is masked, each with a line end.
            countTokens: async (texts) => {
              const masks = options.isUnmasked ? UNMASKED : await masksFor(engine, texts);
              const shown = texts.map((text) => escapeTags(cleanText(masks(text)?.text ?? '')));
              return this.#countTokens(shown.map((text) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)));
            },
            query: { task, focusPaths },
          })
        );
      },
    };
  }

  /** Rows of all observations, also those beyond the limits of the section. */
  async #observationRows(): Promise<string | undefined> {
    const { observations } = this.known;
    if (!observations) return undefined;
    const texts: string[] = [];
    let after: number | undefined;
    try {
      do {
        // Page by page: the worker answers others in between.
        const { rows } = await observations.list({ limit: ROWS_A_PAGE, after, isUnmasked: true });
        texts.push(...rows.map(({ text }) => text));
        after = rows.length < ROWS_A_PAGE ? undefined : rows.at(-1)?.id;
      } while (after !== undefined);
      return texts.join('');
    } catch (error) {
      if (!ObservationError.is(error)) throw error;
      return undefined;
    }
  }

  #countTokens(texts: readonly string[]): Promise<readonly number[]> {
    return this.ports.engine.countTokens({ texts, tokenizer: this.state.preferences.tokenizer });
  }
}
