import type { Logger } from '../ports';
import type { Session } from '../session/session';
import { handleCitations } from '../usage/handleCitations';
import type { ToolHost } from './tool';
import { ToolError } from './toolError';

/** What a host adds to a session. */
export interface ToolHostOptions {
  readonly logger: Logger;
  /** The texts with a mask for each secret; see `core/secrets`. */
  readonly maskText: (texts: readonly string[]) => Promise<readonly string[]>;
  /** Another tokenizer's counts, where the host's budget is counted by one; the session's else. */
  readonly countTokens?: (texts: readonly string[]) => Promise<readonly number[]>;
  /** Whether expansions go into the usage log. */
  readonly recordsUsage: boolean;
}

async function masked(maskText: ToolHostOptions['maskText'], texts: readonly string[]): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  try {
    return await maskText(texts);
  } catch (cause) {
    throw new ToolError('masking', 'Secrets could not be looked for, so nothing is given.', { cause });
  }
}

async function cite(session: Session, handles: readonly string[], logger: Logger): Promise<void> {
  const { report } = session.snapshot;
  const cited = report ? handleCitations(report, handles) : [];
  if (!report || cited.length === 0) return;
  try {
    await session.usage?.cite(report, cited, { isFollowUp: true });
  } catch (error) {
    logger.warn(`The citation was not recorded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Tools over a session. */
export function sessionToolHost(session: Session, options: ToolHostOptions): ToolHost {
  const { logger, maskText, countTokens, recordsUsage } = options;
  return {
    session,
    countTokens: countTokens ?? ((texts) => session.countTokens(texts)),
    maskText: (texts) => masked(maskText, texts),
    cite: async (handles) => {
      if (recordsUsage) await cite(session, handles, logger);
    },
  };
}
