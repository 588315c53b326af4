// Writes usage logs for the bench: records as the product writes them, with what real ones have of repetition and change.
import { closeSync, openSync, writeSync } from 'node:fs';

/** Ids, mean sizes and how often they change: instructions hardly ever, what the tree looks like in every cycle. */
const SECTIONS = [
  ['AGENTS.md', 4870, 0.001],
  ['memory', 3250, 0.02],
  ['repo-map', 6100, 0.5],
  ['diagnostics', 900, 0.6],
  ['git', 1400, 0.8],
  ['observations', 2600, 0.9],
  ['soul', 2100, 0.002],
  ['ports', 160, 0.1],
  ['heartbeat', 800, 0.05],
  ['open-editors', 420, 0.7],
  ['ci-status', 300, 0.2],
  ['topic-memory', 5200, 0.01],
  ['copilot-instructions', 2900, 0.001],
  ['run-logs', 3300, 0.3],
  ['relay', 1200, 0.9],
  ['progress', 1900, 0.25],
];
const EVIDENCE = ['handle', 'id', 'path', 'keyword', 'tag'];
const DISCLOSURES = ['full', 'full', 'full', 'summary', 'stub', 'omitted'];

/** Repeatable random numbers, 0…1 (mulberry32, public domain). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function hex(next) {
  const half = () =>
    Math.floor(next() * 4294967296)
      .toString(16)
      .padStart(8, '0');
  return half() + half();
}

/** No text of ours has a quote followed by a comma or a colon. */
function spaced(record) {
  return JSON.stringify(record, null, 1)
    .replace(/\n\s*([}\]])/g, '$1')
    .replace(/([{[])\n\s*/g, '$1')
    .replace(/,\n\s*/g, ', ');
}

/**
 * Writes `records` lines to `file` and returns how many bytes that were.
 * @param form `bare`: the fields that every program writes. `spaced`: the same with blanks behind commas and colons, as Python
 *   writes JSON. `full`: with every optional field that the product writes.
 */
export function writeUsageLog(file, { records, sections, form }) {
  const next = random(records + sections);
  const used = Array.from({ length: sections }, (_, at) => {
    const [id, chars, changes] = SECTIONS[at % SECTIONS.length];
    const name = at < SECTIONS.length ? id : `${id}-${Math.floor(at / SECTIONS.length)}`;
    return {
      id: name,
      mean: chars,
      changes,
      chars,
      tokens: Math.round(chars / 4),
      disclosure: 'full',
      hash: hex(next),
    };
  });
  const out = openSync(file, 'w');
  let lines = [];
  let bytes = 0;
  let seconds = Date.UTC(2026, 0, 5) / 1000;
  for (let cycle = 1; cycle <= records; cycle++) {
    seconds += Math.floor(next() * 240);
    for (const section of used) {
      if (next() >= section.changes) continue;
      section.chars = Math.max(40, Math.round(section.mean * (0.7 + next() * 0.6)));
      section.tokens = Math.round(section.chars / 4);
      section.disclosure = DISCLOSURES[Math.floor(next() * DISCLOSURES.length)];
      section.hash = hex(next);
    }
    const cited = Array.from({ length: 1 + Math.floor(next() * 2) }, () => {
      const section = used[Math.floor(next() * used.length)];
      const evidence = EVIDENCE[Math.floor(next() * EVIDENCE.length)];
      return { id: section.id, evidence, what: `src/${section.id.toLowerCase()}/file${Math.floor(next() * 400)}.ts` };
    });
    const isFull = form === 'full';
    const record = {
      schema_version: 'usage.v1',
      cycle,
      ts: new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' '),
      trigger: next() < 0.7 ? 'copy' : `fix "login" in step ${cycle % 97}`,
      profile: 'default',
      ...(isFull ? { mode: cycle < records / 3 ? 'baseline' : 'dynamic', payload: 'expanded' } : {}),
      sections: used.map(({ id, chars, tokens, disclosure, hash }) => ({
        id,
        chars,
        tokens,
        disclosure,
        ...(isFull ? { chars_full: chars * 2, tokens_full: tokens * 2, hash } : {}),
      })),
      cited,
      ...(isFull ? { overhead_tokens: 41 } : {}),
      ...(next() < 0.5 ? { response_ms: Math.floor(next() * 20000) } : {}),
      ...(next() < 0.3 ? { observability_score: Math.floor(next() * 10000) / 10000 } : {}),
    };
    lines.push(form === 'spaced' ? spaced(record) : JSON.stringify(record));
    if (lines.length === 2000 || cycle === records) {
      const text = `${lines.join('\n')}\n`;
      bytes += writeSync(out, text);
      lines = [];
    }
  }
  closeSync(out);
  return bytes;
}
