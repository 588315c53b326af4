import type { SessionPreferences } from '../core/workspace/workspace';
import { createNodeSession, type NodeSession } from '../node/createSession';
import type { CliContext } from './context';
import { CLI_TOKENIZER } from './tokenizer';
import type { WorkFolder } from './workFolder';

/**
 * A session of the folder with the profile and tokenizer of the command line; ends with the command.
 * @param mayWrite false: what is recorded stays in memory
 */
export function openSession(
  { io, product, options, logger, life }: CliContext,
  { files, realRoot }: WorkFolder,
  preferences: Omit<SessionPreferences, 'profile' | 'tokenizer'>,
  mayWrite = true,
): NodeSession {
  return life.own(
    createNodeSession({
      realRoot,
      files,
      productRoot: product.root,
      logger,
      env: io.env,
      preferences: { profile: options.profile, tokenizer: CLI_TOKENIZER, ...preferences },
      ...(mayWrite ? {} : { mayWrite: () => false }),
      ...(product.createEngines ? { createEngines: product.createEngines } : {}),
    }),
  );
}
