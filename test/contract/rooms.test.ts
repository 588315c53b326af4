import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importedFiles, sourcesOf } from '../support/imports';

const BELOW_WORKSPACE = [
  'agents',
  'config',
  'engine',
  'files',
  'model',
  'observations',
  'pipeline',
  'ports',
  'records',
  'relay',
  'render',
  'repomap',
  'secrets',
  'setup',
  'tokens',
  'transcripts',
  'usage',
  'window',
];

/** Folders and those that each may import, types included; a new arrow is a decision, made here. */
interface Rooms {
  readonly folder: string;
  /** Open to all others. */
  readonly ground: string;
  readonly arrows: Readonly<Record<string, readonly string[]>>;
  /** Files directly in the folder; they may import every room, and no room imports them. */
  readonly top: readonly string[];
}

const CORE: Rooms = {
  folder: 'src/core',
  ground: 'text',
  top: [],
  arrows: {
    text: [],
    ports: [],
    records: [],
    transcripts: [],
    model: ['ports'],
    tokens: ['ports'],
    files: ['model', 'ports'],
    config: ['model'],
    repomap: ['model', 'ports'],
    render: ['model', 'ports', 'repomap', 'tokens'],
    agents: ['files', 'model', 'ports'],
    secrets: ['config', 'model'],
    usage: ['model', 'ports', 'records', 'transcripts'],
    observations: ['config', 'files', 'model', 'ports', 'records', 'secrets', 'tokens', 'transcripts'],
    relay: ['config', 'observations', 'tokens', 'transcripts'],
    engine: ['model', 'observations', 'ports', 'relay', 'repomap', 'tokens', 'usage'],
    pipeline: [
      'agents',
      'config',
      'files',
      'model',
      'observations',
      'ports',
      'relay',
      'render',
      'repomap',
      'secrets',
      'tokens',
      'usage',
    ],
    setup: ['agents', 'config', 'relay', 'transcripts'],
    window: ['agents', 'config', 'files', 'model', 'ports', 'secrets', 'tokens', 'transcripts'],
    workspace: BELOW_WORKSPACE,
    print: BELOW_WORKSPACE,
    check: ['agents', 'config', 'model', 'relay', 'window'],
    tools: [...BELOW_WORKSPACE, 'print', 'workspace'],
  },
};

/** A feature imports no other feature. */
const FEATURE = ['copy', 'status', 'workspace'];

const VSCODE: Rooms = {
  folder: 'src/vscode',
  ground: 'base',
  top: ['commands.ts', 'desktop.ts', 'extension.ts', 'extensionAssets.ts', 'web.ts', 'workspaceActions.ts'],
  arrows: {
    base: [],
    workspace: [],
    status: ['workspace'],
    copy: ['status', 'workspace'],
    agents: FEATURE,
    instructions: FEATURE,
    map: FEATURE,
    observations: FEATURE,
    panel: FEATURE,
    relay: FEATURE,
    report: FEATURE,
    sessions: FEATURE,
  },
};

/** Imports that the table does not allow yet: `file → file`. It only ever gets shorter. */
const KNOWN: readonly string[] = [];

function roomOf({ folder, top }: Rooms, file: string): string | undefined {
  if (!file.startsWith(`${folder}/`)) return undefined;
  const [first = '', ...rest] = file.slice(folder.length + 1).split('/');
  if (rest.length > 0) return first;
  return top.includes(first) ? undefined : `${first} (in no room)`;
}

/** Imports against the table. */
function wrongArrows(rooms: Rooms): string[] {
  return sourcesOf(rooms.folder).flatMap((file) => {
    const from = roomOf(rooms, file);
    return importedFiles(file)
      .filter((target) => {
        const to = roomOf(rooms, target);
        if (!target.startsWith(`${rooms.folder}/`) || to === from) return false;
        if (from === undefined) return false;
        return to === undefined || !(to === rooms.ground || rooms.arrows[from]?.includes(to));
      })
      .map((target) => `${file} → ${target}`);
  });
}

/** Groups of files that import each other, however far around. */
function cycles(files: readonly string[]): string[][] {
  const at = new Map<string, { low: number; index: number; isOpen: boolean }>();
  const open: string[] = [];
  const found: string[][] = [];
  // Tarjan's strongly connected components.
  const visit = (file: string): { low: number; index: number; isOpen: boolean } => {
    const own = { low: at.size, index: at.size, isOpen: true };
    at.set(file, own);
    open.push(file);
    for (const target of importedFiles(file)) {
      const known = at.get(target);
      if (!known) own.low = Math.min(own.low, visit(target).low);
      else if (known.isOpen) own.low = Math.min(own.low, known.index);
    }
    if (own.low !== own.index) return own;
    const group = open.splice(open.indexOf(file));
    for (const member of group) (at.get(member) as { isOpen: boolean }).isOpen = false;
    if (group.length > 1) found.push(group);
    return own;
  };
  for (const file of files) if (!at.has(file)) visit(file);
  return found;
}

describe('rooms', () => {
  it.each([CORE, VSCODE])('$folder: each file is in a room of the table', (rooms) => {
    const found = new Set(sourcesOf(rooms.folder).map((file) => roomOf(rooms, file)));
    found.delete(undefined);
    expect([...found].sort()).toEqual(Object.keys(rooms.arrows).sort());
  });

  it.each([CORE, VSCODE])('$folder: a room imports only what the table allows', (rooms) => {
    const known = KNOWN.filter((arrow) => arrow.startsWith(`${rooms.folder}/`));
    expect(wrongArrows(rooms).sort()).toEqual([...known].sort());
  });

  it.each([CORE, VSCODE])('$folder: the table goes one way', ({ arrows }) => {
    const floor = (room: string, above: readonly string[] = []): number => {
      expect(above).not.toContain(room);
      return Math.max(0, ...(arrows[room] ?? []).map((below) => 1 + floor(below, [...above, room])));
    };
    expect(Math.max(...Object.keys(arrows).map((room) => floor(room)))).toBeGreaterThan(1);
  });

  it('no files import each other in a circle', () => {
    expect(cycles([...sourcesOf('src'), ...sourcesOf('webview')])).toEqual([]);
  });

  it('a section on its way to the report has the five shapes that CONTRIBUTING.md lists, and no other', () => {
    const table = readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| `(\w+Section)` \|.*\| `(src\/\S+)` \|$/gm);
    const listed = [...table].map(([, name, file]) => `${file} ${name}`);
    // A simulation has sections of the usage log, which have no text.
    const files = sourcesOf('src/core/pipeline').filter((file) => !file.includes('/simulat'));
    const declared = [...files, 'src/core/model/section.ts', 'src/core/model/report.ts'].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^(?:export )?interface (\w+Section)\b/gm)].map(
        ([, name]) => `${file} ${name}`,
      ),
    );
    expect(listed).toHaveLength(5);
    expect(declared.sort()).toEqual(listed.sort());
  });

  it('no folder holds more than 25 files', () => {
    const counts = new Map<string, number>();
    for (const file of [...sourcesOf('src'), ...sourcesOf('webview')]) {
      const folder = file.slice(0, file.lastIndexOf('/'));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
  });
});
