import { NEVER_ABORTED, type Tokenizer } from '../../src/core/ports/ports';
import type { SecretScanner } from '../../src/core/secrets/secretScanner';
import type { ToolCall, ToolHost } from '../../src/core/tools/tool';
import { type ToolHostOptions, workspaceToolHost } from '../../src/core/tools/toolHost';
import type { Workspace, WorkspacePreferences } from '../../src/core/workspace/workspace';
import { openFileSource } from '../../src/node/fileSource';
import { createNodeWorkspace } from '../../src/node/nodeWorkspace';
import { createEngines } from './cliWorld';
import { sharedTokenizer } from './sharedTokenizer';
import { afterTest, tempFolder } from './tempFolder';
import { SILENT } from './workspaceFakes';

/** The tokenizer that budgets are counted by unless a host has another. */
export async function exactTokenizer(): Promise<Tokenizer> {
  return sharedTokenizer('o200k_base');
}

/** A call of the MCP server, without a budget of the host. */
export const CALL: ToolCall = { signal: NEVER_ABORTED };

const SECRET = /\bSECRET-\w+/g;

/** Finds one word, which `[masked]` stands for: the label leaves no room for itself. */
const WORD_SCANNER: SecretScanner = {
  scan: async (texts) =>
    texts.map((text) =>
      [...text.matchAll(SECRET)].map(({ 0: word, index }) => ({
        start: index,
        end: index + word.length,
        label: 'a word that only tests look for',
      })),
    ),
};

/** What one observation of a log is made of. */
export interface Event {
  readonly id: number;
  readonly summary: string;
  readonly task?: string;
  readonly detail?: string;
}

/** Lines of an observation log. */
export function eventLines(events: readonly Event[]): string {
  return events
    .map(({ id, summary, task = 'TASK-1', detail = '' }) => {
      const two = (value: number): string => String(value).padStart(2, '0');
      const ts = `2026-02-03 ${two(Math.floor(id / 60) % 24)}:${two(id % 60)}:00`;
      const labels = { task_id: task, actor: 'verifier', phase: 'verify', type: 'event' };
      const refs = { files: [], commands: [], urls: [] };
      return `${JSON.stringify({ schema_version: 'obs.v1', id, ts, ...labels, summary, detail, refs })}\n`;
    })
    .join('');
}

interface ToolWorldOptions extends Partial<ToolHostOptions> {
  readonly scanner?: SecretScanner;
  readonly preferences?: Partial<WorkspacePreferences>;
  /** Makes more of the folder before it is opened. */
  readonly prepare?: (folder: string) => void;
}

/** A host over a real session, its engines in this process, in a folder with `files`. */
export async function openTools(
  files: Readonly<Record<string, string>>,
  { scanner = WORD_SCANNER, preferences, prepare, ...options }: ToolWorldOptions = {},
): Promise<ToolHost & { readonly folder: string; readonly workspace: Workspace }> {
  const folder = await tempFolder(files);
  prepare?.(folder);
  const user = await tempFolder();
  const source = await openFileSource(folder);
  const opening = createNodeWorkspace({
    realRoot: source.realRoot,
    files: source.files,
    productRoot: '/nowhere',
    preferences: { profile: undefined, isTrusted: false, tokenizer: 'o200k_base', ...preferences },
    logger: SILENT,
    env: { PATH: process.env.PATH, CONTEXT_BUDGET_CONFIG_DIR: user, CONTEXT_BUDGET_CACHE_DIR: user },
    createEngines: (engineHost) => createEngines(engineHost, scanner),
  });
  afterTest(() => opening.dispose());
  opening.workspace.start();
  const host = workspaceToolHost(opening.workspace, {
    logger: SILENT,
    recordsUsage: true,
    ...options,
  });
  return { ...host, folder, workspace: opening.workspace };
}

/** What an answer costs by the host's tokenizer. */
export async function costOf(host: ToolHost, answer: string): Promise<number> {
  const [tokens = Number.NaN] = await host.countTokens([answer]);
  return tokens;
}
