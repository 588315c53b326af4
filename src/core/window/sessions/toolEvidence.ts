/**
 * Findings of single results: a command that failed the same way again and again, and large pictures. Kept are hashes and
 * the name of the program.
 */
import { hashText } from '../../text/hash';
import { formatCount } from '../../text/numbers';
import type { LoggedBlock, LoggedCall } from '../../transcripts/sessions/sessionLog';
import { windowOf } from './parts';
import type { Finding, TimelineRequest } from './sessionData';

/** SESSIONS.md of the design, section 8. */
const MIN_FAILURES = 3;
/** About 1,000 × 750 pixels: what a screen's part with readable text has. */
const MIN_PICTURE_TOKENS = 1_000;
/** Of a picture's tokens by its pixels, what the next window must have grown by. */
const MIN_SEEN_SHARE = 0.5;
const MIN_CARRIED = 3;
/** Longer words are no names of programs. */
const MAX_NAME_CHARS = 30;

/** Where in its window a result stands. */
export interface ResultPlace {
  readonly turn: number;
  /** By our count; see {@link modelTokens}. */
  readonly tokens: number;
  /** Requests of its window that began before it. */
  readonly before: number;
  readonly epoch: number;
}

/**
 * Tokens of a result as its window's parts have them: by the count of the model that read it first.
 * @param requests of its window, in order
 */
export function modelTokens({ tokens, before }: ResultPlace, requests: readonly TimelineRequest[]): number {
  return Math.round(tokens * (requests[before]?.factor ?? 1));
}

interface Failure {
  readonly key: string;
  readonly program: string;
  readonly places: ResultPlace[];
}

interface Picture extends ResultPlace {
  readonly call: LoggedCall;
  readonly pictureTokens: number;
}

/** Collects what one window's results show, in order. */
export class ToolEvidence {
  /** Calls whose results are still to come: a hash of what was asked for, and the program. */
  readonly #asked = new Map<string, readonly [hash: string, program: string]>();
  #failing: Failure | undefined;
  readonly #failures: Failure[] = [];
  readonly #pictures: Picture[] = [];

  add(block: LoggedBlock, place: ResultPlace): void {
    const { call, from, part } = block;
    if (part === 'edit' && from === 'result') this.#failing = undefined;
    if (!call) return;
    if (part === 'command' && from === 'call') this.#asked.set(call.id, [hashText(block.text), programIn(block.text)]);
    if (from !== 'result') return;
    if (part === 'command') this.#ended(block, place);
    const pictureTokens = block.tokens ?? 0;
    if (pictureTokens >= MIN_PICTURE_TOKENS) this.#pictures.push({ ...place, pictureTokens, call });
  }

  /**
   * @param requests of this window, in order
   * @param carriedBy requests that read a result
   */
  finish(requests: readonly TimelineRequest[], carriedBy: (place: ResultPlace) => number): readonly Finding[] {
    const failures = this.#failures.filter(({ places }) => places.length >= MIN_FAILURES);
    return [
      ...failures.map(({ program, places }): Finding => {
        const again = places.slice(1).reduce((sum, place) => sum + modelTokens(place, requests) * carriedBy(place), 0);
        const what = `${program}: the same command failed ${places.length} times with the same output`;
        const turns = [...new Set(places.map(({ turn }) => turn))];
        const about = { tool: program, times: places.length };
        return { rule: 'repeated-command', turns, tokens: again, what, about, fix: 'none' };
      }),
      ...this.#pictures.flatMap((picture) => oversized(picture, requests, carriedBy(picture))),
    ];
  }

  #ended(block: LoggedBlock, place: ResultPlace): void {
    const [hash, program] = this.#asked.get(block.call?.id ?? '') ?? [];
    const key = block.isError && hash !== undefined ? `${hash} ${hashText(block.text)}` : undefined;
    if (key === undefined || program === undefined) this.#failing = undefined;
    else if (this.#failing?.key === key) this.#failing.places.push(place);
    else {
      this.#failing = { key, program, places: [place] };
      this.#failures.push(this.#failing);
    }
  }
}

/** The name of the program that a call runs, as far as it has one; nothing else of a command is kept. */
function programIn(text: string): string {
  const command = /"(?:cmd|command)":(?:\[[^\]]*,)?"(?:cd [^&;|"]+&& *)?(?:\w+=\S* +)*([\w./-]+)/.exec(text)?.[1];
  const name = command?.split('/').at(-1) ?? '';
  return name === '' || name.length > MAX_NAME_CHARS ? (text.split(' ', 1)[0] ?? '').slice(0, MAX_NAME_CHARS) : name;
}

function oversized(picture: Picture, requests: readonly TimelineRequest[], carried: number): readonly Finding[] {
  const { call, pictureTokens, turn, before } = picture;
  const [last, next] = [requests[before - 1]?.usage, requests[before]?.usage];
  const grown = last && next ? windowOf(next) - windowOf(last) : 0;
  if (carried < MIN_CARRIED || grown < MIN_SEEN_SHARE * pictureTokens) return [];
  const said = `${call.path ?? call.tool}: a picture of about ${formatCount(pictureTokens)} tokens; the window grew by ${formatCount(grown)}`;
  const about = { path: call.path, tool: call.tool, size: pictureTokens, to: grown };
  return [{ rule: 'oversized-image', turns: [turn], tokens: pictureTokens * carried, what: said, about, fix: 'none' }];
}
