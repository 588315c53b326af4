/** The two sides of `check --baseline`: the context now and before, measured in the same way. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { comparableOf, parseBaseline } from '../core/check/baseline';
import type { ComparableContext } from '../core/check/finding';
import { CONFIG_PATH } from '../core/config/config';
import type { FileSource } from '../core/ports/ports';
import { openTree, TreeError } from '../node/git/treeSource';
import { createComparedWorkspace, ownGitDirectory } from '../node/nodeWorkspace';
import { CLI_TOKENIZER, type CliContext, CliError } from './context';
import { isTrusted, openWorkFolder, requireReport, type WorkFolder } from './workspace';

/** A baseline of a thousand sections has 50 kB. */
const MAX_BASELINE_BYTES = 5_000_000;

async function measured(
  { product, options, logger, life, io }: CliContext,
  { realRoot }: WorkFolder,
  files: FileSource,
  asksGit: boolean,
): Promise<ComparableContext> {
  const node = life.own(
    createComparedWorkspace({
      realRoot,
      files,
      productRoot: product.root,
      logger,
      env: io.env,
      preferences: { profile: options.profile, tokenizer: CLI_TOKENIZER, isTrusted: false },
      createEngines: product.createEngines,
      asksGit,
    }),
  );
  const snapshot = await node.workspace.whenReady(life.signal);
  return comparableOf(requireReport(snapshot));
}

/** The folder as it is now. */
export async function measureNow(context: CliContext): Promise<ComparableContext> {
  const folder = await openWorkFolder(context);
  return measured(context, folder, folder.files, true);
}

/** A baseline file; `undefined` where no file has this name. Throws a usage error for a file that is no baseline. */
async function readBaseline({ io, logger }: CliContext, given: string): Promise<ComparableContext | undefined> {
  const file = path.resolve(io.cwd, given);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const text = found.size > MAX_BASELINE_BYTES ? '' : await readFile(file, 'utf8');
  const baseline = parseBaseline(text);
  if (baseline) return baseline;
  logger.debug(`${given} has ${found.size} bytes`);
  throw new CliError('usage', `--baseline ${given}: the file is no baseline. Write one with --write-baseline.`);
}

/** What `--baseline` names: a file, else a revision, measured from its tree with the config as it is now. */
export async function measureBefore(context: CliContext, given: string): Promise<ComparableContext> {
  const known = await readBaseline(context, given);
  if (known) return known;
  const folder = await openWorkFolder(context);
  const { realRoot, files } = folder;
  try {
    const tree = context.life.own(
      await openTree({
        realRoot,
        revision: given,
        isTrusted: await isTrusted(context, realRoot),
        env: context.io.env,
        directories: ownGitDirectory(realRoot, context.io.env, context.logger),
        current: { files, paths: new Set([CONFIG_PATH]) },
      }),
    );
    return await measured(context, folder, tree, false);
  } catch (cause) {
    if (!TreeError.is(cause)) throw cause;
    throw new CliError('usage', `--baseline ${given}: ${cause.message}`, { cause });
  }
}
