/** Requests that the provider's cache did not serve although the one before had filled it. */
import { formatCount } from '../../text/numbers';
import { inEnglish, type Phrase, phrase } from '../../text/phrase';
import { MIN_SHRUNK_TOKENS, windowOf } from './parts';
import type { Finding, KeyedFinding, TimelineRequest } from './sessionData';

/** SESSIONS.md of the design, section 8: less is noise. */
const MIN_TOKENS = 1_000;
const MIN_SHARE = 0.05;
/** Where writing is not counted apart, the cache rounds to blocks and is best effort. */
const MIN_SHARE_UNCOUNTED = 0.2;
const MINUTE_MS = 60_000;

/** Breaks between requests of one window, in order, with the keys of the requests that paid for them. */
export function cacheBreaks(requests: readonly TimelineRequest[]): readonly KeyedFinding[] {
  const counted = requests.filter(({ usage }) => usage !== undefined && windowOf(usage) > 0);
  const countsWrites = counted.some(({ usage }) => (usage?.cacheWrite ?? 0) > 0);
  const found: KeyedFinding[] = [];
  for (const [at, request] of counted.entries()) {
    const before = counted[at - 1];
    if (!before?.usage || !request.usage) continue;
    const cached = before.usage.cacheRead + before.usage.cacheWrite;
    // A window that shrank cannot be read from the cache beyond its own size.
    const lost = Math.min(cached, windowOf(request.usage)) - request.usage.cacheRead;
    const share = countsWrites ? MIN_SHARE : MIN_SHARE_UNCOUNTED;
    if (lost <= Math.max(MIN_TOKENS, share * cached)) continue;
    const cause = causeOf(before, request);
    const what = `${inEnglish(cause)}: ${formatCount(lost)} tokens read again without the cache`;
    const turns = [...new Set([before.turn, request.turn])];
    const finding: Finding = { rule: 'cache-break', turns, tokens: lost, what, about: { cause }, fix: 'none' };
    found.push({ key: request.key, finding });
  }
  return found;
}

function causeOf(before: TimelineRequest, request: TimelineRequest): Phrase {
  if (request.compactions !== before.compactions) return phrase('window compacted');
  if (request.cuts !== before.cuts) return phrase('content cleared');
  if (request.model !== before.model) return phrase('model changed');
  const gap = (request.time ?? 0) - (before.time ?? request.time ?? 0);
  const kept = (before.cacheSeconds ?? 300) * 1_000;
  if (gap > kept) {
    const minutes = Math.round(gap / MINUTE_MS);
    return phrase(minutes === 1 ? '{0} minute between two requests' : '{0} minutes between two requests', minutes);
  }
  const hasShrunk =
    before.usage && request.usage && windowOf(request.usage) < windowOf(before.usage) - MIN_SHRUNK_TOKENS;
  return phrase(hasShrunk ? 'content left without a mark' : 'cause unknown');
}
