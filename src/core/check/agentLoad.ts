import type { AgentCoverage } from '../agents/agentCoverage';
import { loadedText } from '../agents/agentFile';
import type { AgentId } from '../model/agent';

/** What one agent loads of the folder by itself. */
export interface AgentLoad {
  readonly agent: AgentId;
  readonly name: string;
  readonly tokens: number;
  /** The largest file, which is the one to shrink; absent where nothing is loaded. */
  readonly largestPath?: string;
  /** Files that could not be read now, so that `tokens` lacks them. */
  readonly unread: readonly string[];
}

/** What counting needs of its host. */
export interface LoadReader {
  /** A file's text without its byte order mark; undefined when it cannot be read. */
  textOf(path: string): Promise<string | undefined>;
  /** Exact tokens, parallel to `texts`. */
  countTokens(texts: readonly string[]): Promise<readonly number[]>;
}

/**
 * Counts the instruction files that an agent loads at its start, each as far as it reads it. The only place that says what
 * `agent-limit` measures: MCP tools and skills join here when they are measured.
 */
export async function measureLoad(coverage: AgentCoverage, reader: LoadReader): Promise<AgentLoad> {
  const { agent, name } = coverage;
  const files = coverage.files.filter(({ fate }) => fate === 'loaded' || fate === 'truncated');
  const texts = await Promise.all(
    files.map(async ({ path, cutLine, bytesLost }) => {
      const text = await reader.textOf(path);
      const cut = cutLine === undefined ? undefined : { bytesLost, line: cutLine };
      return text === undefined ? undefined : loadedText(text, { agent: name, cut });
    }),
  );
  const counts = await reader.countTokens(texts.map((text) => text ?? ''));
  const most = Math.max(0, ...counts);
  const largest = files[counts.indexOf(most)];
  return {
    agent,
    name,
    tokens: counts.reduce((sum, count) => sum + count, 0),
    ...(largest ? { largestPath: largest.path } : {}),
    unread: files.filter((_, at) => texts[at] === undefined).map(({ path }) => path),
  };
}
