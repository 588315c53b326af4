/** What the panel says of the usage log: history, prompt-cache prefix, simulation, the next mode. No vscode in here. */
import type { Config } from '../../core/config/config';
import type { ScoringMode } from '../../core/model/relevance';
import type { ContextReport } from '../../core/model/report';
import type { PayloadMode } from '../../core/model/section';
import { MIN_CYCLES } from '../../core/model/usage';
import { type SimulationResult, simulatedSections, simulateThresholds } from '../../core/pipeline/score/simulate';
import type { Logger } from '../../core/ports/ports';
import { prefixMatch } from '../../core/usage/prefixMatch';
import { usageHistory } from '../../core/usage/usageHistory';
import type { UsageRecord } from '../../core/usage/usageRecord';
import type { UsageService } from '../../core/usage/usageService';
import type { PanelEffect, PanelOffer, PanelSimulation, PanelUsage } from '../../protocol/panel';

/** Cycles that are simulated, and that a mode must have lasted before the next one is offered (DESIGN §3.3). */
const OFFER_CYCLES = 50;

/** Cycles before those that are simulated: what scores of the first ones rest on. */
const HISTORY_CYCLES = 50;

/** Steps of the threshold's slider. */
const THRESHOLDS = Array.from({ length: 21 }, (_, step) => step / 20);

/** What the panel's numbers are made of. */
export interface PanelUsageInput {
  readonly usage: UsageService;
  readonly report: ContextReport;
  readonly config: Config;
  readonly mode: PayloadMode;
}

const NEXT_MODE: Readonly<Partial<Record<ScoringMode, ScoringMode>>> = { baseline: 'static', static: 'dynamic' };

/** The mode to offer: the next one, once the newest 50 cycles were all recorded in the present one. */
export function nextMode(mode: ScoringMode, records: readonly UsageRecord[]): ScoringMode | undefined {
  const newest = records.slice(-OFFER_CYCLES);
  const hasLasted = newest.length >= OFFER_CYCLES && newest.every((record) => (record.mode ?? 'baseline') === mode);
  return hasLasted ? NEXT_MODE[mode] : undefined;
}

/** What was asked for last, with what is known until the answer comes. */
interface Asked {
  readonly owner: object;
  readonly input: PanelUsageInput;
  readonly value: PanelUsage | undefined;
}

/** The newest records of a workspace and what follows from them, as long as `key` holds. */
interface Read {
  readonly owner: object;
  readonly key: string;
  readonly records: readonly UsageRecord[];
  readonly simulation: PanelSimulation | undefined;
  readonly offer: PanelOffer | undefined;
}

/**
 * Reads the log for the panel and keeps what it read, so that the panel is told at once what is known. With each report
 * it reads the newest cycle alone; all of it, with new simulations, only when a cycle, the config or the sections changed.
 */
export class PanelUsageReader {
  #asked: Asked | undefined;
  #lastRead: Read | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly onDidRead: () => void,
  ) {}

  /**
   * What is known for `owner` (a workspace) now. An input that is new is read, and `onDidRead` called when that is done;
   * no input: nothing new to read yet. Never throws: what cannot be read is logged and absent.
   */
  get(owner: object, input: PanelUsageInput | undefined): PanelUsage | undefined {
    const known = this.#asked?.owner === owner ? this.#asked : undefined;
    const isKnown = known?.input.report === input?.report && known?.input.mode === input?.mode;
    if (input && !isKnown) this.#ask({ owner, input, value: known?.value });
    return known?.value;
  }

  #ask(asked: Asked): void {
    this.#asked = asked;
    void this.#answer(asked).then((value) => {
      // Something newer was asked for meanwhile: its answer is to come.
      if (this.#asked !== asked) return;
      this.#asked = { ...asked, value };
      this.onDidRead();
    });
  }

  async #answer({ owner, input }: Asked): Promise<PanelUsage | undefined> {
    try {
      const { records, simulation, offer } = await this.#read(owner, input);
      const { window, roiThresholds } = input.config.scoring;
      const { cycles } = usageHistory(ofKind(records, input.mode), window, roiThresholds).window;
      return { cycles, prefix: prefixMatch(input.report, input.mode, records), simulation, offer };
    } catch (error) {
      this.logger.error('The usage log could not be read for the panel', error);
      return undefined;
    }
  }

  async #read(owner: object, input: PanelUsageInput): Promise<Read> {
    const { usage, report, config } = input;
    const [newest] = (await usage.records(1)).records;
    const sections = report.payloads.expanded.sections.map(({ id, citations, usage: own }) => [
      id,
      citations,
      own?.loaded,
      own?.lastCitedCycle,
    ]);
    const { usageLog, scoring } = config;
    const basis = [usageLog, scoring, newest?.cycle, newest?.cited.length, sections, simulatedSections(report, config)];
    const key = JSON.stringify(basis);
    if (this.#lastRead?.owner === owner && this.#lastRead.key === key) return this.#lastRead;
    const wanted = Math.max(scoring.window, OFFER_CYCLES + HISTORY_CYCLES);
    const { records } = await usage.records(wanted);
    const made = { simulation: simulationOf(records, input), offer: offerOf(records, input) };
    this.#lastRead = { owner, key, records, ...made };
    return this.#lastRead;
  }
}

/** Means of a cycle under thresholds of a mode, over the newest records. */
function simulated(
  records: readonly UsageRecord[],
  { report, config }: PanelUsageInput,
  mode: ScoringMode,
  at: readonly number[],
) {
  const settings = { scoring: { ...config.scoring, mode }, cycles: OFFER_CYCLES };
  const results = simulateThresholds(records, simulatedSections(report, config), settings, at);
  return results.map((result) => ({ threshold: result.threshold, ...effectOf(result) }));
}

/** Cycles of one payload kind: the two differ too much for one chart. Those of other programs, which name none, stand in where there are no others. */
function ofKind(records: readonly UsageRecord[], mode: PayloadMode): readonly UsageRecord[] {
  const own = records.filter(({ payload }) => payload === mode);
  return own.length > 0 ? own : records.filter(({ payload }) => payload === undefined);
}

function simulationOf(records: readonly UsageRecord[], input: PanelUsageInput): PanelSimulation | undefined {
  if (records.length < MIN_CYCLES) return undefined;
  const { mode, threshold } = input.config.scoring;
  // The config's own threshold may lie between two steps of the slider.
  const thresholds = [...new Set([...THRESHOLDS, threshold])].sort((a, b) => a - b);
  const [now] = mode === 'static' ? simulated(records, input, mode, [threshold]) : [];
  return {
    cycles: Math.min(records.length, OFFER_CYCLES),
    points: simulated(records, input, 'dynamic', thresholds),
    ...(now ? { tokensNow: now.tokensAfter } : {}),
  };
}

function offerOf(records: readonly UsageRecord[], input: PanelUsageInput): PanelOffer | undefined {
  const { scoring } = input.config;
  const mode = nextMode(scoring.mode, records);
  if (mode === undefined) return undefined;
  // Against what the present mode saves already.
  const [now] = simulated(records, input, scoring.mode, [scoring.threshold]);
  const [next] = simulated(records, input, mode, [scoring.threshold]);
  return { mode, cycles: OFFER_CYCLES, effect: now && next && { ...next, tokensBefore: now.tokensAfter } };
}

/** Sums of a simulation as means of a cycle. */
function effectOf(result: SimulationResult): PanelEffect {
  const { cycles, tokensBefore, tokensAfter, citations, citationsKept, lost, stubbed } = result;
  const mean = (sum: number): number => Math.round(sum / Math.max(1, cycles));
  return {
    tokensBefore: mean(tokensBefore),
    tokensAfter: mean(tokensAfter),
    citationsTotal: citations,
    citationsKept,
    lost,
    stubbed: stubbed.map(({ id }) => id),
  };
}
