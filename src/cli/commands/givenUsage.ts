import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ScoringConfig } from '../../core/model/relevance';
import type { UsageWindow } from '../../core/model/usage';
import { inEnglish } from '../../core/text/phrase';
import { usageHistory } from '../../core/usage/usageHistory';
import { usageProblemWords } from '../../core/usage/usageLog';
import { UsageLogFile } from '../../node/records/fileLogs';
import { CliError } from '../cliError';
import type { CliContext } from '../context';
import { givenFile } from '../givenFile';

/** The newest cycles of a usage log that is named on the command line; what is wrong with it goes to stderr. */
export async function readGivenUsage(context: CliContext, given: string, scoring: ScoringConfig): Promise<UsageWindow> {
  const file = await realpath(await givenFile(context, given, '--log'));
  // A pipe or a device: what is read from its end has to have one.
  if (!(await stat(file)).isFile())
    throw new CliError('usage', `--log ${given}: it is no ordinary file. Write the records into one.`);
  const name = path.basename(file);
  const log = new UsageLogFile({ realRoot: path.dirname(file), path: name });
  const { records, problems } = await log.readNewest(scoring.window);
  const { window, facts } = usageHistory(records, scoring.window, scoring.roiThresholds);
  for (const problem of problems) context.logger.warn(inEnglish(usageProblemWords(problem)));
  for (const why of facts) context.logger.warn(inEnglish(usageProblemWords({ path: name, line: undefined, why })));
  return window;
}
