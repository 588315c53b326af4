/**
 * Default priorities (DESIGN §3.1): what of the context files that were found is `P0` and `P1`, so that both together stay
 * under half of both caps, and which instruction files go into the folder section `rules`. Runs in the worker, where token
 * counts are known. A priority of the config is never changed.
 */

import { readFrontmatter } from '../../agents/frontmatter';
import { holdsForWholeFolder } from '../../agents/pickFiles';
import type { ReportRequest } from '../../model/report';
import type { CollectedSection, FileRole, Priority } from '../../model/section';
import { renderElement } from '../../render/element';
import { filesOf } from '../../text/counts';
import { createEscape } from '../../text/elements';
import { nameOf } from '../../text/safePath';
import { cleanText } from '../../text/sentence';
import { addSizes, type LineTokenCounter, NO_SIZE, type Size } from '../../tokens/lines';

/** A section whose priority is decided here. */
interface Candidate {
  readonly section: CollectedSection;
  readonly role: FileRole;
  readonly path: string;
  /** As it is shown; empty where there is no text. */
  readonly text: string;
}

/** A longer file says something itself. */
const MAX_POINTER_CHARS = 400;

/** The memory files that come before instructions, in their order. */
const MEMORIES = ['memory', 'soul', 'next'];

function textOf({ body }: CollectedSection): string {
  return body.kind === 'text' ? cleanText(body.text) : '';
}

/**
 * Whether a text does nothing but import or name that file: each of its paragraphs and list entries does, headings aside.
 * An import is a line of its own, whatever follows it.
 */
function isPointerTo(text: string, path: string): boolean {
  if (text.length >= MAX_POINTER_CHARS) return false;
  const paragraphs = text
    .slice(readFrontmatter(text).end)
    .replace(/^#.*$/gm, '')
    .replace(/^@\S+[ \t]*$/gm, '$&\n')
    .split(/\n\s*\n|\n(?=[ \t]*(?:[-*+]|\d+[.)])[ \t])/)
    .filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.length > 0 && paragraphs.every((paragraph) => paragraph.includes(nameOf(path)));
}

/** The root's instruction file, behind those that only lead to it, and all that do. */
function findRoot(candidates: readonly Candidate[]): {
  readonly root: Candidate | undefined;
  readonly pointers: ReadonlySet<Candidate>;
} {
  const ranked = candidates
    .filter(({ role, section: { body }, text }) => {
      const isThere = body.kind === 'text' ? text.trim() !== '' : body.kind !== 'failed';
      return role.rootRank !== undefined && isThere;
    })
    .sort((a, b) => (a.role.rootRank ?? 0) - (b.role.rootRank ?? 0));
  const targetOf = (each: Candidate): Candidate | undefined =>
    ranked.find((other) => other !== each && isPointerTo(each.text, other.path));
  let [root] = ranked;
  const passed = new Set<Candidate>();
  for (let next = root; next && !passed.has(next); next = targetOf(next)) {
    passed.add(next);
    root = next;
  }
  return { root, pointers: new Set(ranked.filter((each) => each !== root && targetOf(each) !== undefined)) };
}

/** Gives out what is left of half of both caps. */
class Room {
  #used = NO_SIZE;

  constructor(private readonly caps: Size) {}

  /** Takes the room if all of it is there. */
  take(size: Size): boolean {
    const next = addSizes(this.#used, size);
    const fits = next.tokens * 2 < this.caps.tokens && next.chars * 2 < this.caps.chars;
    if (fits) this.#used = next;
    return fits;
  }

  /** Takes it whether it is there or not. */
  force(size: Size): void {
    this.#used = addSizes(this.#used, size);
  }
}

/** In what order room is asked for, and what for: heartbeat, root, memories, then instructions by path. */
function claims(
  candidates: readonly Candidate[],
  request: ReportRequest,
): readonly (readonly [candidate: Candidate, priority: Priority])[] {
  const { root, pointers } = findRoot(candidates);
  const memories = (stems: readonly string[]): readonly Candidate[] =>
    stems.flatMap((stem) => candidates.filter(({ role }) => role.kind === 'memory' && role.idStem === stem));
  const agents = request.agents ?? [];
  const others = candidates
    .filter((each) => each.role.kind === 'instruction' && each !== root && !pointers.has(each))
    .filter(({ path, text }) => holdsForWholeFolder(path, text, agents))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const p0 = [...memories(['heartbeat']), ...(root ? [root] : [])];
  const p1 = [...memories(MEMORIES), ...others];
  return [...p0.map((each) => [each, 'P0'] as const), ...p1.map((each) => [each, 'P1'] as const)];
}

/**
 * The sections with their default priorities; instruction files without a place of their own are files of the section
 * `rules` alone. Sections without a role stay as they are. Counts the texts that ask for `P0` and `P1`.
 */
export function defaultPriorities(request: ReportRequest, counter: LineTokenCounter): readonly CollectedSection[] {
  const { sections, profile } = request;
  const candidates = sections.flatMap((section): Candidate[] => {
    const { role, source } = section;
    if (!role || source.kind !== 'file' || (role.kind !== 'instruction' && role.kind !== 'memory')) return [];
    return [{ section, role, path: source.path, text: textOf(section) }];
  });
  const folder = sections.find(({ source }) => source.kind === 'files' && source.paths !== undefined);
  if (candidates.length === 0 && !folder) return sections;
  const escapeTags = createEscape(sections.map(({ id }) => id));
  const sizeOf = (section: CollectedSection): Size => {
    const isShown = !section.isExcluded && !section.loadedBy && textOf(section) !== '';
    return isShown ? counter.measure(renderElement(section.id, escapeTags(textOf(section)))) : NO_SIZE;
  };
  const asking = new Set(candidates.map(({ section }) => section));
  const room = new Room({ tokens: profile.budgetTokens, chars: profile.hardCapChars });
  for (const section of sections)
    if (!asking.has(section) && (section.priority === 'P0' || section.priority === 'P1')) room.force(sizeOf(section));
  const given = new Map<CollectedSection, Priority>();
  const { root } = findRoot(candidates);
  for (const [{ section, role }, priority] of claims(candidates, request)) {
    if (room.take(sizeOf(section))) given.set(section, priority);
    else if (role.kind === 'memory' || section === root?.section) given.set(section, 'P2');
  }
  const own = sections.flatMap((section) => {
    if (section === folder) return [];
    if (!asking.has(section)) return [section];
    const priority = given.get(section);
    // Without a folder for it, it stays by itself.
    const isRule = priority === undefined && section.isDiscovered && folder !== undefined && !section.isPinned;
    return isRule ? [] : [{ ...section, priority: priority ?? 'P3' }];
  });
  return folder ? [...own, ...withoutOwn(folder, own)] : own;
}

/** A collected section as it is in a report with these sections; undefined where it is not. */
export function asReported(
  section: CollectedSection,
  reported: readonly Pick<CollectedSection, 'id' | 'source'>[],
): CollectedSection | undefined {
  const { id, source } = section;
  if (source.kind !== 'files' || source.paths === undefined) return section;
  return reported.some((each) => each.id === id) ? withoutOwn(section, reported)[0] : undefined;
}

/** The rules without the files that are sections of their own; none where nothing is left. */
function withoutOwn(
  folder: CollectedSection,
  own: readonly Pick<CollectedSection, 'source'>[],
): readonly CollectedSection[] {
  const { body, source } = folder;
  const taken = new Set(own.flatMap((each) => (each.source.kind === 'file' ? [each.source.path] : [])));
  if (source.kind === 'files' && source.paths?.every((path) => taken.has(path))) return [];
  if (body.kind !== 'folder') return [folder];
  const files = body.files.filter(({ path }) => !taken.has(path));
  return files.length === 0 ? [] : [{ ...folder, note: filesOf(files.length), body: { ...body, files } }];
}
