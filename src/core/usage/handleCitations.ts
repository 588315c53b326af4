import { isObservationHandle } from '../model/observation';
import type { ContextReport, ReportSection } from '../model/report';
import { sectionHandle, splitFromLine } from '../text/elements';
import type { Citation } from './usageRecord';

function builtin(sections: readonly ReportSection[], id: 'repo-map' | 'observations'): ReportSection | undefined {
  return sections.find(({ source }) => source.kind === 'builtin' && source.builtin === id);
}

function sectionOf(asked: string, sections: readonly ReportSection[]): ReportSection | undefined {
  const handle = splitFromLine(asked).base;
  if (isObservationHandle(handle)) return builtin(sections, 'observations');
  if (handle.startsWith('sym:')) return builtin(sections, 'repo-map');
  if (!handle.startsWith('file:')) return sections.find(({ id }) => sectionHandle(id) === handle);
  const path = handle.slice('file:'.length).replace(/#L\d.*$/, '');
  // Lines of a file that is no section of its own are what the map pointed at.
  return sections.find((section) => section.path === path) ?? builtin(sections, 'repo-map');
}

/**
 * Evidence that sections were used: the handles that were asked for, as citations of the sections that they belong to: an
 * observation's of the index of observations, a symbol's of the map. Handles that belong to no section are left out.
 */
export function handleCitations(report: ContextReport, handles: readonly string[]): readonly Citation[] {
  const { sections } = report.payloads.expanded;
  return [...new Set(handles.map((handle) => handle.trim()))].flatMap((what) => {
    const id = sectionOf(what, sections)?.id;
    return id === undefined ? [] : [{ id, evidence: 'handle' as const, what }];
  });
}
