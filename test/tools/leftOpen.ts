/**
 * A process with a session for a task that stays open, as an editor does, until the index is whole: the command line
 * ends with its answer and never comes to parse the rest. `hasAnswered` of the global object is for `killAt.cjs`. Arguments: product root, folder, task.
 */

import { openFileSource } from '../../src/node/fileSource';
import { createNodeWorkspace } from '../../src/node/nodeWorkspace';

async function main([productRoot = '', root = '', task = '']: readonly string[]): Promise<void> {
  const { files, realRoot } = await openFileSource(root, { mayBlock: true });
  const tell = (message: string): void => console.error(message);
  const preferences = { profile: undefined, isTrusted: false } as const;
  const opened = createNodeWorkspace({
    realRoot,
    files,
    productRoot,
    logger: { debug: () => undefined, info: () => undefined, warn: tell, error: tell },
    env: process.env,
    preferences: { ...preferences, tokenizer: 'o200k_base', task },
  });
  const { workspace } = opened;
  const whole = new Promise<void>((resolve) => {
    workspace.onDidChangeIndex(({ phase }) => {
      if (phase === 'ready') resolve();
    });
  });
  workspace.start();
  await workspace.map({ budgetTokens: 4096, query: task });
  Object.assign(globalThis, { hasAnswered: true });
  await whole;
  opened.dispose();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
