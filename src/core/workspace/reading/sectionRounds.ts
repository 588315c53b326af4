/**
 * Reading of sections, round by round: which are waited for, and what is shown of those that are late. What a late reading
 * brings is taken in as it is, since a round that looked again would be late again, without end.
 */

import type { CollectedSection, SectionDefinition } from '../../model/section';
import {
  type CollectContext,
  pendingSections,
  type SectionCollector,
  withChoices,
} from '../../pipeline/collect/collector';
import type { Clock, Disposable, Logger } from '../../ports/ports';

/** Sections as far as they are there; `late` settles when the others are. */
export interface SectionRead {
  readonly sections: readonly CollectedSection[];
  readonly late: Promise<unknown> | undefined;
}

/** What a round wants to know. */
interface SectionWish {
  readonly definitions: readonly SectionDefinition[];
  readonly context: CollectContext;
  /** Differs when anything that is read may have become another. */
  readonly key: string;
}

/** One look at all sections, as far as it has come. */
interface Reading {
  readonly key: string;
  readonly definitions: readonly SectionDefinition[];
  readonly fresh: ReadonlyMap<string, CollectedSection | undefined>;
  readonly whole: Promise<readonly CollectedSection[]>;
  /** Settles when all sections are there, or all that are worth waiting for. Never rejects. */
  readonly prompt: Promise<unknown>;
  isOver: boolean;
}

export class SectionRounds {
  /** What the last reading gave, by id; `undefined` for a section that does not exist here. */
  #known = new Map<string, CollectedSection | undefined>();
  /** Which reading `#known` is from: a slow old one must not take the place of a newer. */
  #knownFrom = 0;
  #readings = 0;
  /** Sections that were too slow last time: a round does not wait for them again. */
  readonly #lateIds = new Set<string>();
  /** Under way, or over and not taken in by a round. */
  #reading: Reading | undefined;

  constructor(
    private readonly collector: SectionCollector,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Reads what is stale; after `patienceMs` goes on with what is there, the last state of the others, or pending. */
  async read(wish: SectionWish, patienceMs: number, signal: AbortSignal): Promise<SectionRead> {
    const { definitions, context, key } = wish;
    const reading = this.#reading?.key === key ? this.#reading : this.#begin(wish, signal);
    this.#reading = reading;
    const { fresh, whole } = reading;
    const isThere = (): boolean => reading.isOver || definitions.every(({ id }) => fresh.has(id));
    const isAwaited = definitions.some(({ id }) => !fresh.has(id) && !this.#lateIds.has(id));
    if (!isThere() && isAwaited) await this.#first(reading.prompt, patienceMs);
    if (isThere()) {
      // Taken in: the next round reads again.
      if (this.#reading === reading) this.#reading = undefined;
      return { sections: await whole, late: undefined };
    }
    for (const { id } of definitions) if (!fresh.has(id)) this.#lateIds.add(id);
    this.logger.debug(`late: ${[...this.#lateIds].join(', ')}`);
    return { sections: this.#soFar(reading, context), late: whole };
  }

  #begin({ definitions, context, key }: SectionWish, signal: AbortSignal): Reading {
    const number = ++this.#readings;
    const fresh = new Map<string, CollectedSection | undefined>();
    const awaited = new Set(definitions.map(({ id }) => id).filter((id) => !this.#lateIds.has(id)));
    let tellPrompt: () => void = () => undefined;
    const promptOnes = new Promise<void>((resolve) => {
      tellPrompt = resolve;
    });
    const whole = this.collector.collect(
      definitions,
      context,
      ({ id, section }) => {
        fresh.set(id, section);
        this.#lateIds.delete(id);
        if (awaited.delete(id) && awaited.size === 0) tellPrompt();
      },
      signal,
    );
    const ended = whole.then(
      (sections) => this.#keep(number, definitions, sections),
      // Told by the round that takes the reading in.
      () => undefined,
    );
    const prompt = Promise.race([promptOnes, ended]);
    const reading: Reading = { key, definitions, fresh, whole, prompt, isOver: false };
    void ended.then(() => {
      reading.isOver = true;
    });
    return reading;
  }

  #keep(number: number, definitions: readonly SectionDefinition[], sections: readonly CollectedSection[]): void {
    if (number < this.#knownFrom) return;
    this.#knownFrom = number;
    for (const { id } of definitions) this.#known.set(id, undefined);
    for (const section of sections) this.#known.set(section.id, section);
  }

  #soFar({ definitions, fresh }: Reading, { choices }: CollectContext): readonly CollectedSection[] {
    const pending = pendingSections(definitions, choices);
    return definitions
      .map((definition, index) => {
        const { id } = definition;
        if (fresh.has(id)) return fresh.get(id);
        if (!this.#known.has(id)) return pending[index];
        const known = this.#known.get(id);
        // What it said last, as the config wants it now: a pin or an exclusion does not wait for a slow plug-in.
        return known && withChoices(definition, { body: known.body, path: known.path, note: known.note }, choices);
      })
      .filter((section) => section !== undefined);
  }

  /** Resolves when `promise` does, or after `delayMs`. */
  async #first(promise: Promise<unknown>, delayMs: number): Promise<void> {
    let timer: Disposable | undefined;
    const elapsed = new Promise<void>((resolve) => {
      timer = this.clock.schedule(resolve, delayMs);
    });
    try {
      await Promise.race([promise, elapsed]);
    } finally {
      timer?.dispose();
    }
  }
}
