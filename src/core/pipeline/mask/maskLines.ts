/**
 * Answers whose lines are chosen by what they cost (a map, rows of observations), without secrets: what a line says is
 * masked before it is counted. What is shown is only known once it was chosen: so a choice is made, what is new in it is
 * scanned, and it is made again where that changed something.
 */
import type { RepoMapView } from '../../model/repoMap';
import type { MaskedSecret } from '../../model/report';
import type { RowMasks } from '../../observations/observationQueries';
import type { ObservationAnswer } from '../../observations/observationStore';
import type { ExplainedMap } from '../../repomap/facts/types';
import { type Masks, NotScanned } from '../../secrets/masking';
import { maskFor } from '../../secrets/secretMask';
import type { MaskedSecretPlace } from '../route/route';

/** A map as it may leave. */
export interface MaskedMap {
  readonly map: ExplainedMap;
  /** What was scanned for it. */
  readonly texts: readonly string[];
  /** Without the section's id, which only a report knows. */
  readonly secrets: readonly Omit<MaskedSecretPlace, 'sectionId'>[];
}

/** What stands for a text. */
type MaskLine = (text: string) => string;

/** Scans texts, each on its own: neighbors in a map are unrelated, so the name in one says nothing about the next. */
type Scan = (texts: readonly string[]) => Promise<Masks>;

/** What stands for a text whose turn to be scanned never came. */
const UNSEEN = '***';

class LineMasks implements RowMasks {
  /** Scanned so far, wholes aside. */
  readonly scanned: string[] = [];
  readonly #masked = new Map<string, string>();
  /** By the masked text. */
  readonly #secrets = new Map<string, readonly MaskedSecret[]>();
  readonly #unseen = new Set<string>();
  readonly #wholes = new Map<string, string>();
  readonly #unseenWholes = new Set<string>();
  #isClosed = false;

  readonly line: MaskLine = (text) => {
    const masked = this.#masked.get(text);
    if (masked !== undefined) return masked;
    if (this.#isClosed) return UNSEEN;
    this.#unseen.add(text);
    return text;
  };

  readonly whole: MaskLine = (text) => {
    if (!this.#wholes.has(text)) this.#unseenWholes.add(text);
    return this.#wholes.get(text) ?? text;
  };

  /** Forgets texts that were only tried. */
  startLook(): void {
    this.#unseen.clear();
  }

  /** Nothing is shown from now on but what was scanned. */
  close(): void {
    this.#isClosed = true;
  }

  /** Scans what is new; whether a secret was in it. @throws NotScanned */
  async learn(scan: Scan): Promise<boolean> {
    const isWholeChanged = await this.#learnWholes(scan);
    const texts = [...this.#unseen];
    this.#unseen.clear();
    if (texts.length === 0) return isWholeChanged;
    this.scanned.push(...texts);
    const masks = await scan(texts);
    let isChanged = isWholeChanged;
    for (const text of texts) {
      const masked = masks(text);
      if (!masked) throw new NotScanned();
      this.#masked.set(text, masked.text);
      if (masked.secrets.length === 0) continue;
      isChanged = true;
      this.#secrets.set(masked.text, masked.secrets);
    }
    return isChanged;
  }

  /** A whole that cannot be scanned keeps its count: it is never shown, and asking for it fails. */
  async #learnWholes(scan: Scan): Promise<boolean> {
    let isChanged = false;
    for (const text of this.#unseenWholes) {
      const masked = (await scan([text]))(text)?.text ?? text;
      this.#wholes.set(text, masked);
      isChanged ||= masked !== text;
    }
    this.#unseenWholes.clear();
    return isChanged;
  }

  /** What was masked in a text, as it is shown. */
  secretsIn(shown: string): readonly { readonly label: string; readonly mask: string }[] {
    return (this.#secrets.get(shown) ?? []).map(({ label, value }) => ({ label, mask: maskFor(value, label) }));
  }
}

/** Makes something of masked texts; it may call `startLook` before it says what is shown. @throws NotScanned */
async function maskShown<T>(masks: LineMasks, make: () => T, scan: Scan): Promise<T> {
  for (;;) {
    const made = make();
    // Masks are no longer than what they stand for, so the next choice may show more.
    if (await masks.learn(scan)) continue;
    masks.close();
    return made;
  }
}

/** The map that `select` makes; `look` renders all that will be shown of it. @throws NotScanned */
export async function maskMap(
  select: (mask: MaskLine) => ExplainedMap,
  look: (map: ExplainedMap) => RepoMapView,
  scan: Scan,
): Promise<MaskedMap> {
  const masks = new LineMasks();
  const make = () => {
    const map = select(masks.line);
    masks.startLook();
    return { map, view: look(map) };
  };
  const { map, view } = await maskShown(masks, make, scan);
  const secrets = view.items.flatMap(({ path, symbols }) =>
    symbols.flatMap(({ signature, name, lineStart }) => {
      const inSignature = masks.secretsIn(signature);
      // By the file's line: what a reader would open.
      const place = { path, line: lineStart };
      return (inSignature.length > 0 ? inSignature : masks.secretsIn(name)).map((each) => ({ ...place, ...each }));
    }),
  );
  return { map, texts: masks.scanned, secrets };
}

/** The answer that `ask` gives of observations, its rows masked; of a layer with their places. @throws NotScanned */
export async function maskRows(ask: (masks: RowMasks) => ObservationAnswer, scan: Scan): Promise<ObservationAnswer> {
  const masks = new LineMasks();
  const answer = await maskShown(masks, () => ask(masks), scan);
  const layer = answer.kind === 'answered' ? answer.value : undefined;
  // Rows for people to leaf through say nothing of their masks.
  if (!layer || !('secrets' in layer)) return answer;
  const secrets = layer.rows.flatMap(({ summary, taskId, actor, phase, type }, at) =>
    [taskId, phase, type, actor, summary].flatMap((text) =>
      masks.secretsIn(text).map(({ label }) => ({ sectionId: 'observations', line: at + 1, label })),
    ),
  );
  return { kind: 'answered', value: { ...layer, secrets } };
}
