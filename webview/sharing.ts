import type { ReportSection } from '../src/core/model/report';
import type { PanelSnapshot } from '../src/protocol/panel';

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
 * a row can tell by identity, and for what the usage log, the relay log and the agents' coverage say. Linear in the size of both snapshots.
 */
export function shareUnchanged(previous: PanelSnapshot | undefined, next: PanelSnapshot): PanelSnapshot {
  if (!previous) return next;
  // What the log says changes once a cycle, and much is drawn from it.
  const usage = isSame(previous.usage, next.usage) ? previous.usage : next.usage;
  const relay = isSame(previous.relay, next.relay) ? previous.relay : next.relay;
  const agents = isSame(previous.agents, next.agents) ? previous.agents : next.agents;
  const shared = { ...next, usage, relay, agents };
  if (!previous.payload || !next.payload) return shared;
  const known = new Map<string, ReportSection>(previous.payload.sections.map((section) => [section.id, section]));
  const sections = next.payload.sections.map((section) => {
    const old = known.get(section.id);
    return old !== undefined && isSame(old, section) ? old : section;
  });
  return { ...shared, payload: { ...next.payload, sections } };
}
