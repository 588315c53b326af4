import { DEFAULT_PROFILE } from '../../src/core/config/profile';
import type { Profile } from '../../src/core/model/profile';
import type { ReportRequest } from '../../src/core/model/report';
import type { CollectedSection } from '../../src/core/model/section';
import type { CitableSection } from '../../src/core/usage/citations/citablePayload';
import { pathsIn } from '../../src/core/usage/citations/pathNames';

/** A collected file section with defaults; tests name only what they are about. */
export function section(id: string, text: string, over: Partial<CollectedSection> = {}): CollectedSection {
  return {
    id,
    title: id,
    priority: 'P2',
    source: { kind: 'file', path: `${id}.md` },
    keepRecent: undefined,
    onDemand: false,
    keywords: [],
    isDiscovered: false,
    body: { kind: 'text', text },
    path: undefined,
    note: undefined,
    isPinned: false,
    isExcluded: false,
    ...over,
  };
}

/** A request with the default profile's caps, but for those given. */
export function request(sections: readonly CollectedSection[], profile: Partial<Profile> = {}): ReportRequest {
  return {
    profile: { ...DEFAULT_PROFILE, ...profile },
    tokenizer: 'o200k_base',
    sections,
    focusPaths: [],
    isIndexReady: true,
    problems: [],
  };
}

/** A section as citations are looked for in it. */
export function citable(id: string, text: string, over: Partial<CitableSection> = {}): CitableSection {
  return {
    id,
    handle: `section:${id}`,
    title: id,
    text,
    path: undefined,
    isInventory: false,
    isMap: false,
    files: [],
    paths: pathsIn(text),
    symbols: [],
    placedSymbols: [],
    symbolHandles: [],
    observationIds: [],
    entries: [],
    unknownChars: 0,
    ...over,
  };
}
